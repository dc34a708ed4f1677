import { expect, test } from "vitest"
import { type RulesEdit, standInsFor } from "../../../../cli/catalog/history/stand-ins.ts"
import { phrase, plainPhrase } from "../../../../cli/phrases/phrase.ts"

const german = { id: "german", attribute: "country", operator: "equals", value: "DE", returnValue: true }

function share(value: string) {
  return { id: `by ${value}`, attribute: "userId", operator: "percentage", value, returnValue: true }
}

function edit(...values: readonly (readonly [before: string, after: string])[]): RulesEdit {
  return {
    before: [german, ...values.map(([value]) => share(value))],
    after: [german, ...values.map(([, value]) => share(value))],
  }
}

test.each<readonly [string, RulesEdit, RulesEdit]>([
  ["percentages that rise", edit(["5", "10"]), edit(["20", "99"])],
  ["two in the same order", edit(["5", "10"], ["60", "61"]), edit(["1", "25"], ["30", "40"])],
])("%s: edits that are alike", (_, one, other) => {
  expect(standInsFor([one], [])?.replace(one)).toEqual(standInsFor([other], [])?.replace(other))
})

test.each<readonly [string, RulesEdit, RulesEdit]>([
  ["one rises, one falls", edit(["5", "10"]), edit(["10", "5"])],
  ["two in another order", edit(["5", "10"], ["60", "61"]), edit(["5", "70"], ["60", "61"])],
])("%s: edits that are not", (_, one, other) => {
  expect(standInsFor([one], [])?.replace(one)).not.toEqual(standInsFor([other], [])?.replace(other))
})

test.each<readonly [string, RulesEdit]>([
  ["a rule more", { before: [german], after: [german, share("5")] }],
  ["another value", { before: [share("5")], after: [{ ...share("6"), returnValue: false }] }],
  ["a rule that is like another one before", edit(["5", "10"], ["10", "20"])],
  ["a fraction", edit(["5", "10"], ["20", "20.5"])],
  ["the form of a stand-in", edit(["5", "10"], ["00000000", "00000000"])],
])("%s: no stand-ins", (_, one) => expect(standInsFor([one], [])).toBeUndefined())

test("the form of a stand-in in what else is said: no stand-ins", () => {
  expect(standInsFor([edit(["5", "10"])], [false, "live"])).toBeDefined()
  expect(standInsFor([edit(["5", "10"])], [{ code: "0000000001" }, "live"])).toBeUndefined()
  expect(standInsFor([edit(["5", "10"])], [false, "live-0000000001"])).toBeUndefined()
})

test("puts the percentages back, wherever they stand", () => {
  const one = edit(["5", "50"])
  const standIns = standInsFor([one], [])
  const [, before, after] = [...(standIns?.replace(one).before ?? []), standIns?.replace(one).after[1]]
  const said = phrase`${before?.value ?? ""} % and ${`userId percentage ${after?.value}`}, 5 of 50`
  expect(plainPhrase(standIns?.restore(said) ?? [])).toBe("`5` % and `userId percentage 50`, 5 of 50")
})
