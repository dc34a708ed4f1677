import { isIP, isIPv6 } from "node:net"

/**
 * Who asked, where `hops` reverse proxies of ours stand before us: each adds, at the right of `X-Forwarded-For`, the
 * address that it was asked from, so the last `hops` elements are true and the first of those is the client. The client may have made up
 * all that stands left of it. Falls back to the peer when the element is not an address or no hop is trusted.
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

/** Without `%eth0`: a zone says nothing outside its machine, and Node takes one of any length. So there are 45 characters at most. */
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
