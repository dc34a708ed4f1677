import { expect, test } from "vitest"
import { matchesETag } from "../../../proxy/http/if-none-match.ts"

test.each([
  ['"a,b"', true],
  ['W/"a,b"', true],
  ["*", true],
  ['"x",W/"a,b"', true],
  ['"x" , "y","a,b" ', true],
  [', ,"a,b",', true],
  [null, false],
  ["a,b", false],
  ['"A,B"', false],
  ['"a', false],
  ['w/"a,b"', false],
  ['"x", *', false],
  ['"x,"a,b""', false],
])("If-None-Match: %s", (header, matches) => {
  expect(matchesETag(header, '"a,b"')).toBe(matches)
})
