import { expect, test } from "vitest"
import { addressBlock } from "../../../proxy/http/client-address.ts"

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["2001:DB8::1", "2001:db8:0:0::/64"],
  ["2001:0db8:0000:0002::1", "2001:db8:0:2::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["1::5:6:7:192.0.2.1", "1:0:0:5::/64"],
  [undefined, "unknown"],
])("%s draws on %s", (address, block) => {
  expect(addressBlock(address)).toBe(block)
})
