import { expect, test } from "vitest"
import { chooseEncoding } from "../../../proxy/http/accept-encoding.ts"

test.each([
  [null, "identity"],
  ["", "identity"],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["br", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["*", "br"],
  ["*;q=0.5, br;q=0", "gzip"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["gzip ; q=0.5 , br ; q=0.4", "gzip"],
  ["gzip;Q=0.2, br;q=0.1", "gzip"],
  ["identity;q=0.5, gzip;q=0.2", "identity"],
  ["gzip;q=0", "identity"],
  ["gzip;q=0, *", "br"],
  ["identity;q=0", "identity"],
  ["identity;q=0, gzip;q=0.1", "gzip"],
  ["*;q=0", "identity"],
  ["gzip;q=2", "identity"],
  ["gzip;q=0.1234", "identity"],
  ["gzip;\t q=0.5 \t, br;q=0.4", "gzip"],
  ["gzip;q= 0.5", "identity"],
  ["gzip;q =0.5", "gzip"],
  ["gzip;level=9", "gzip"],
  [",,gzip,,", "gzip"],
])("Accept-Encoding: %s gets %s", (header, encoding) => {
  expect(chooseEncoding(header, { identity: 1, gzip: 1, br: 1 })).toBe(encoding)
})

test("a missing encoding is not chosen", () => {
  expect(chooseEncoding("br, gzip;q=0.5", { identity: 1, gzip: 1 })).toBe("gzip")
  expect(chooseEncoding("br, gzip", { identity: 1, br: undefined })).toBe("identity")
})
