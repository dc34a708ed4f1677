import { expect, test } from "vitest"
import {
  currentFile,
  immutableFile,
  isAddressable,
  isApiPath,
  isListPath,
  privateFile,
  revalidatedFile,
} from "../../../cli/publish/layout.ts"

test.each([
  ["a", true],
  ["a/b.c", true],
  ["a..b", true],
  ["a/../b", false],
  ["a/./b", false],
  ["a//b", false],
  ["a/", false],
  ["q?x=1", false],
  ["h#frag", false],
  ["back\\slash", false],
  ["a+b", false],
  ["a%b", false],
  ["a b", false],
])("the flag key %s can end an address: %s", (key, expected) => expect(isAddressable(key)).toBe(expected))

test.each([
  ["manifest.json", "application/json"],
  ["production/v1/flags", "application/json"],
  ["keys.yaml", "application/yaml"],
  ["keys.yaml.sig", "text/plain"],
])("%s is sent as %s", (path, contentType) => {
  const bytes = Buffer.of(1)
  const shortLived = "public, max-age=30, stale-while-revalidate=3600, stale-if-error=86400"
  expect([currentFile, immutableFile, revalidatedFile, privateFile].map((file) => file(path, bytes))).toEqual(
    [shortLived, "public, max-age=31536000, immutable", "no-cache", "no-store"].map((cacheControl) => ({
      ...{ path, bytes, contentType, cacheControl },
    })),
  )
})

test.each([
  ["production/v1/flags", true, true],
  ["production/v1/flags/a", true, false],
  ["production/v1/flags/v1/flags", true, false],
  ["production/v1/flagsx", false, false],
  ["a/production/v1/flags", false, false],
  ["manifest.json", false, false],
])("%s: SDKs ask for it: %s; it is a list: %s", (path, isApi, isList) => {
  expect([isApiPath(path), isListPath(path)]).toEqual([isApi, isList])
})
