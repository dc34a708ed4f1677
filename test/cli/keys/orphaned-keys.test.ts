import { expect, test } from "vitest"
import { warnOfOrphanedKeys } from "../../../cli/keys/orphaned-keys.ts"
import type { KeyRecord } from "../../../proxy/contract/key-record.ts"
import { mintKey } from "../../proxy/fixtures.ts"
import { testNow } from "../../test-host.ts"

const key = (id: string, more: Partial<KeyRecord> = {}) => ({
  ...mintKey({ id, environment: "staging" }).record,
  ...more,
})
const warn = (keys: readonly KeyRecord[], ...gone: readonly string[]) =>
  warnOfOrphanedKeys("keys.yaml", keys, { project: "shop", gone, now: testNow })
const warning = (environment: string, keys: string) =>
  `warning: ${environment} is removed, but ${keys}: their clients will get a 503. Revoke the keys first, or keep the environment.\n`

test.each([
  ["a key that works", {}, true],
  ["a key that will work", { notBefore: testNow + 1 }, true],
  ["a key of this project", { project: "shop" }, true],
  ["a key of another project", { project: "toys" }, false],
  ["a key of another environment", { environment: "production" }, false],
  ["a revoked key", { revokedAt: testNow }, false],
  ["an expired key", { expiresAt: testNow }, false],
])("%s of a removed environment", (_, more, isReported) => {
  const expected = isReported ? warning("staging", "1 key of keys.yaml can still read it (web)") : ""
  expect(warn([key("web", more)], "staging")).toBe(expected)
})

test("five keys are named, and each environment has a line", () => {
  const keys = ["a", "b", "c", "d", "e"].map((id) => key(id))
  const five = warning("staging", "5 keys of keys.yaml can still read it (a, b, c, d, e)")
  expect(warn(keys, "staging")).toBe(five)
  const six = warning("staging", "6 keys of keys.yaml can still read it (a, b, c, d, e, …)")
  const other = warning("test", "1 key of keys.yaml can still read it (g)")
  expect(warn([...keys, key("f"), key("g", { environment: "test" })], "staging", "none", "test")).toBe(
    six + other,
  )
  expect(warn(keys)).toBe("")
})
