import { isIP, isIPv6 } from "node:net"

/**
 * The client's address behind `hops` reverse proxies of ours. Each adds the address that asked it to the right end of
 * `X-Forwarded-For`. So the last `hops` elements are true, and the first of these is the client's; the client may have made
 * up the rest. Falls back to the peer when that element is not an address or no hop is trusted.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  hops: number,
): string | undefined {
  const trusted = peer === undefined ? undefined : withoutZone(peer)
  if (hops === 0 || forwardedFor === undefined) return trusted
  const elements = forwardedFor.split(",")
  const element = elements[Math.max(0, elements.length - hops)]?.trim() ?? ""
  const address = withoutZone(
    withoutPort
      .exec(element)
      ?.slice(1)
      .find((group) => group !== undefined) ?? element,
  )
  // Split and joined: a slice would keep the whole header in memory, and addresses are kept.
  return isIP(address) === 0 ? trusted : address.split(/([.:])/).join("")
}

/** At most 45 characters: without a zone such as `%eth0`, which means nothing elsewhere and may have any length. */
function withoutZone(address: string): string {
  return address.includes("%") ? (address.split("%", 1)[0] ?? "") : address
}

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
const withoutPort = /^(?:(\d+\.\d+\.\d+\.\d+):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/

/**
 * The name of the bucket that an address draws on: an IPv4 address itself, also one mapped into IPv6, and the /64 of
 * an IPv6 address, because one subscriber has that many addresses. `undefined` (no socket) has a bucket, too.
 */
export function addressBlock(address: string | undefined): string {
  if (address === undefined) return "unknown"
  const bare = withoutZone(address)
  if (!bare.includes(":")) return bare // not IPv6: otherwise it would take an expression of a kilobyte to know
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
