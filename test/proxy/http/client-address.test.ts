import { expect, test } from "vitest"
import { addressBlock, clientAddress } from "../../../proxy/http/client-address.ts"

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:201", "192.0.2.1"],
  ["0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1"],
  ["0000::ffff:c000:0201", "192.0.2.1"],
  ["::fffe:c000:201", "0:0:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["2001:0db8:0000:0002::1", "2001:db8:0:2::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["1::5:6:7:192.0.2.1", "1:0:0:5::/64"],
  [undefined, "unknown"],
])("%s draws on %s", (address, block) => {
  expect(addressBlock(address)).toBe(block)
})

test.each<[string, string | null, number, string | undefined]>([
  ["no proxy of ours", "198.51.100.7", 0, "192.0.2.1"],
  ["no header", null, 1, "192.0.2.1"],
  ["one hop", "198.51.100.7", 1, "198.51.100.7"],
  ["one hop, and what the client made up", "10.0.0.1, 203.0.113.5,198.51.100.7", 1, "198.51.100.7"],
  ["two hops", "10.0.0.1, 198.51.100.7, 203.0.113.5", 2, "198.51.100.7"],
  ["fewer elements than hops", "198.51.100.7", 3, "198.51.100.7"],
  ["a port", "198.51.100.7:4711", 1, "198.51.100.7"],
  ["an IPv6 address", "2001:db8::1", 1, "2001:db8::1"],
  ["an IPv6 address and a port", "[2001:db8::1]:4711", 1, "2001:db8::1"],
  ["an IPv6 address with a zone", "fe80::1%eth0", 1, "fe80::1"],
  ["a zone of 14 KB", `::ffff:198.51.100.7%${"A".repeat(14_000)}`, 1, "::ffff:198.51.100.7"],
  ["no address", "unknown", 1, "192.0.2.1"],
  ["an empty element", "198.51.100.7, ", 1, "192.0.2.1"],
])("%s", (_, forwardedFor, hops, address) => {
  expect(clientAddress("192.0.2.1", forwardedFor, hops)).toBe(address)
})

test("a zone of the peer is not kept", () => {
  expect(clientAddress("fe80::1%eth0", null, 0)).toBe("fe80::1")
  expect(clientAddress("fe80::1%eth0", "unknown", 1)).toBe("fe80::1")
})
