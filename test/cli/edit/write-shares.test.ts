import { describe, expect, test } from "vitest"
import { writeShares } from "../../../cli/edit/write-shares.ts"

const flag = (rules: string) =>
  `defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n${rules}`
const written = (text: string, path = "flags/a.yaml") => writeShares({ path, text })

describe("`operator: percentage` becomes `share`", () => {
  test.each([
    [
      "on lines",
      '      - attribute: userId\n        operator: percentage\n        value: "10"\n        returnValue: true\n',
      "      - share: { by: userId, to: 10 }\n        returnValue: true\n",
    ],
    [
      "in braces, in another order",
      '      - { returnValue: true, value: "2.5", operator: percentage, attribute: "user id" }\n',
      '      - { returnValue: true, share: { by: "user id", to: 2.5 } }\n',
    ],
    [
      "in a group, with an id between",
      "      - all:\n          - segment: staff\n          - { operator: percentage, \"attribute\": userId, value: '100' }\n        returnValue: true\n",
      "      - all:\n          - segment: staff\n          - { share: { by: userId, to: 100 } }\n        returnValue: true\n",
    ],
    [
      "with each comment, in their order",
      '      # tenth\n      - attribute: userId # a\n        operator: percentage # b\n        # c\n        value: "0" # d\n        id: x\n        returnValue: true # e\n',
      "      # tenth\n      - share: { by: userId, to: 0 } # a\n        # b\n        # c\n        # d\n        id: x\n        returnValue: true # e\n",
    ],
    [
      "beside a split, without a line break at the end",
      '      - split: { by: userId, into: [{ share: 50, returnValue: true }] }\n        attribute: orgId\n        operator: percentage\n        value: "10"',
      "      - split: { by: userId, into: [{ share: 50, returnValue: true }] }\n        share: { by: orgId, to: 10 }",
    ],
    [
      "with Windows line ends",
      '      - attribute: userId\r\n        operator: percentage\r\n        # why\r\n        value: "10"\r\n        returnValue: true\r\n',
      "      - share: { by: userId, to: 10 }\r\n        # why\r\n        returnValue: true\r\n",
    ],
  ])("%s", (_, rules, wanted) => expect(written(flag(rules))).toBe(flag(wanted)))

  test("in a segment, at the top of the file", () =>
    expect(
      written('# a tenth\nattribute: userId\noperator: percentage\nvalue: "10"\n', "flags/t.segment.yaml"),
    ).toBe("# a tenth\nshare: { by: userId, to: 10 }\n"))
})

describe("a file stays", () => {
  test.each([
    [
      "whose number is sent as another text",
      '{ attribute: a, operator: percentage, value: "10.0", returnValue: true }',
    ],
    [
      "with more decimals than a share has",
      '{ attribute: a, operator: percentage, value: "0.0001", returnValue: true }',
    ],
    ["whose number lacks its quotes", "{ attribute: a, operator: percentage, value: 10, returnValue: true }"],
    [
      "with a percentage that is none",
      '{ attribute: a, operator: percentage, value: "101", returnValue: true }',
    ],
    ["with an anchor", '{ attribute: &by a, operator: percentage, value: "10", returnValue: true }'],
    ["without an attribute", '{ operator: percentage, value: "10", returnValue: true }'],
    [
      "with a comment in braces",
      '{ attribute: a, # why\n          operator: percentage, value: "10", returnValue: true }',
    ],
  ])("%s", (_, rule) => expect(written(flag(`      - ${rule}\n`))).toBe(flag(`      - ${rule}\n`)))

  test("with mistakes of syntax", () => expect(written("a: [percentage\n")).toBe("a: [percentage\n"))
})
