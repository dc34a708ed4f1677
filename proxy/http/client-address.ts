import { isIP, isIPv6 } from "node:net"

/**
 * The client's address behind `hops` of our own reverse proxies. Each adds the address of its client to the right end
 * of `X-Forwarded-For`, so the last `hops` elements are true, and the first of these is the client's; the client may
 * have made up the rest. Falls back to the peer if that element is not an address or no hop is trusted.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | null,
  hops: number,
): string | undefined {
  const trusted = peer === undefined ? undefined : withoutZone(peer)
  if (hops === 0 || forwardedFor === null) return trusted
  const element = elementFromEnd(forwardedFor, hops).trim()
  const address = withoutZone(
    withoutPort
      .exec(element)
      ?.slice(1)
      .find((group) => group !== undefined) ?? element,
  )
  // Split and joined, because a slice would keep the whole header in memory as long as the address.
  return isIP(address) === 0 ? trusted : address.split(/([.:])/).join("")
}

/** The element of a list at this position from its end, where the last has 1, or the first element if there are fewer. */
function elementFromEnd(list: string, position: number): string {
  let end = list.length
  let start = list.lastIndexOf(",") + 1
  for (let passed = 1; passed < position && start > 0; passed++) {
    end = start - 1
    start = end === 0 ? 0 : list.lastIndexOf(",", end - 1) + 1
  }
  return list.slice(start, end)
}

/**
 * An address without its zone, such as `%eth0`, which means nothing elsewhere and may have any length: at most 45
 * characters.
 */
function withoutZone(address: string): string {
  return address.includes("%") ? (address.split("%", 1)[0] ?? "") : address
}

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
const withoutPort = /^(?:(\d+\.\d+\.\d+\.\d+):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/

/**
 * The name of the bucket that an address draws on: an IPv4 address itself, even if it is mapped into IPv6, and the /64
 * of an IPv6 address, because one subscriber has that many addresses. `undefined` (no socket) also has a bucket.
 */
export function addressBlock(address: string | undefined): string {
  if (address === undefined) return "unknown"
  const bare = withoutZone(address)
  if (!bare.includes(":")) return bare // not IPv6; `isIPv6` would run a regular expression of a kilobyte
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)
  if (mapped?.[1] !== undefined) return mapped[1]
  return isIPv6(bare) ? (mappedIPv4(bare) ?? `${firstGroups(bare).join(":")}::/64`) : bare
}

/** RFC 4291, 2.5.5.2: `::ffff:0:0/96` is a range, which has many spellings. */
function mappedIPv4(address: string): string | undefined {
  const canonical = URL.parse(`http://[${address}]`)?.hostname ?? ""
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(canonical) ?? []
  if (high === undefined || low === undefined) return undefined
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join(".")
}

/** The first four of eight groups, without leading zeros; `::` stands for as many zero groups as are missing. */
function firstGroups(address: string): readonly string[] {
  const [head = "", tail] = address.split("::")
  const before = head === "" ? [] : head.split(":")
  const after = tail === undefined ? [] : tail.split(":") // of `::` at the end one empty group, which is not among the first
  const written = before.length + after.length + (address.includes(".") ? 1 : 0)
  const zeros = tail === undefined ? [] : Array<string>(8 - written).fill("0")
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
}
