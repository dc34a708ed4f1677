import { isIPv6 } from "node:net"

/**
 * The name of the bucket that an address draws on: an IPv4 address itself, also one mapped into IPv6, and the /64 of
 * an IPv6 address, because one subscriber commands that many addresses. `undefined` (no socket) has a bucket too.
 */
export function addressBlock(address: string | undefined): string {
  if (address === undefined) return "unknown"
  const bare = address.split("%", 1)[0] ?? "" // fe80::1%eth0
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)
  if (mapped?.[1] !== undefined) return mapped[1]
  return isIPv6(bare) ? `${firstGroups(bare).join(":")}::/64` : bare
}

/** The first four of eight groups, without leading zeros; `::` stands for as many zero groups as are missing. */
function firstGroups(address: string): readonly string[] {
  const [head = "", tail] = address.split("::")
  const before = head === "" ? [] : head.split(":")
  const after = tail === undefined || tail === "" ? [] : tail.split(":")
  const written = before.length + after.length + (address.includes(".") ? 1 : 0)
  const zeros = tail === undefined ? [] : Array<string>(8 - written).fill("0")
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
}
