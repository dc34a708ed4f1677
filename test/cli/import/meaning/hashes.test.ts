import { expect, test } from "vitest"
import { flagd } from "../../../../cli/import/flagd.ts"
import { flipt } from "../../../../cli/import/flipt.ts"
import { goff } from "../../../../cli/import/goff.ts"
import { launchDarkly } from "../../../../cli/import/launchdarkly.ts"
import { fnv1a, murmur3 } from "../../../../cli/import/meaning/hashes.ts"
import { unleash } from "../../../../cli/import/unleash.ts"

/** As other implementations give them. */
test.each([
  ["", 0],
  ["test", 0xba6bd213],
  ["hello", 0x248bfa47],
  ["hello, world", 0x149bbb7f],
  ["The quick brown fox jumps over the lazy dog", 0x2e4ff723],
])("murmur3 of %j", (text, hash) => {
  expect(murmur3(text)).toBe(hash)
})

test.each([
  ["", 0x811c9dc5],
  ["a", 0xe40c292c],
  ["foobar", 0xbf9cf968],
])("fnv1a of %j", (text, hash) => {
  expect(fnv1a(text)).toBe(hash)
})

/** For Unleash and LaunchDarkly, from the tests of their SDKs; for the others, from the hashes above and CRC-32's check value. */
test.each([
  [unleash, "gr1", "123", 0.72],
  [unleash, "groupX", "999", 0.24],
  [launchDarkly, "hashKey.saltyA", "userKeyA", 0.42157587],
  [launchDarkly, "hashKey.saltyA", "userKeyB", 0.6708485],
  [flagd, "hel", "lo", 0x248bfa47 / 2 ** 32],
  [goff, "foo", "bar", 0.3572],
  [flipt, "1234", "56789", 0.262],
])("$title puts its users in order by %s and %s", (tool, seed, text, place) => {
  expect(tool.hash(seed, text)).toBeCloseTo(place, 6)
})
