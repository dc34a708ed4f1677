import { expect, test } from "vitest"
import { isAddressable } from "../../../cli/publish/layout.ts"

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
