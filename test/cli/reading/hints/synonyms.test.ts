import { expect, test } from "vitest"
import { flagTypes } from "../../../../cli/language/flag-types.ts"
import { attributeTypes } from "../../../../cli/language/operators.ts"
import { synonymOf } from "../../../../cli/reading/hints/synonyms.ts"

test.each([
  ["Bool", "boolean", "boolean"],
  ["text", "string", undefined],
  ["string", undefined, "text"],
  ["int", "number", "number"],
  ["INTEGER", "number", "number"],
  ["double", "number", "number"],
  ["object", "json", undefined],
  ["array", "json", "list"],
  ["set", undefined, "list"],
  ["date_time", undefined, "moment"],
  ["time-stamp", undefined, "moment"],
  ["sem ver", undefined, "version"],
  ["thing", undefined, undefined],
])("%s is the flag type %s and the attribute type %s", (word, ofFlag, ofAttribute) => {
  expect(synonymOf(word, flagTypes)).toBe(ofFlag)
  expect(synonymOf(word, attributeTypes)).toBe(ofAttribute)
})
