import { expect, test } from "vitest"
import {
  formOf,
  type RulesEdit,
  type StandIns,
  standInsFor,
} from "../../../../cli/catalog/history/stand-ins.ts"
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

function standInsOf({ before, after }: RulesEdit, others: readonly string[] = []): StandIns | undefined {
  return standInsFor([{ before: formOf(before), after: formOf(after) }], others)
}

/** What edits that are alike have in common. */
function sharedBy(edit: RulesEdit): unknown {
  return [formOf(edit.after)?.text, standInsOf(edit)?.order]
}

test.each<readonly [string, RulesEdit, RulesEdit]>([
  ["percentages that rise", edit(["5", "10"]), edit(["20", "99"])],
  ["two in the same order", edit(["5", "10"], ["60", "61"]), edit(["1", "25"], ["30", "40"])],
])("%s: edits that are alike", (_, one, other) => {
  expect(standInsOf(one)?.replaced()).toEqual(standInsOf(other)?.replaced())
  expect(sharedBy(one)).toEqual(sharedBy(other))
})

test.each<readonly [string, RulesEdit, RulesEdit]>([
  ["one rises, one falls", edit(["5", "10"]), edit(["10", "5"])],
  ["two in another order", edit(["5", "10"], ["60", "61"]), edit(["5", "70"], ["60", "61"])],
  ["one becomes another", edit(["5", "10"], ["60", "61"]), edit(["5", "60"], ["60", "61"])],
  ["a rule less", edit(["5", "10"]), { ...edit(["5", "10"]), after: [share("10")] }],
])("%s: edits that are not", (_, one, other) => {
  expect(standInsOf(one)?.replaced()).not.toEqual(standInsOf(other)?.replaced())
  expect(sharedBy(one)).not.toEqual(sharedBy(other))
})

test.each<readonly [string, RulesEdit]>([
  [
    "another rule with the value of a percentage",
    { before: [{ ...german, value: "10" }, share("5")], after: [share("10"), share("5")] },
  ],
  [
    "an id of its own, the same JSON value in another order",
    {
      before: [{ ...share("5"), returnValue: { a: 1, b: 2 } }],
      after: [{ ...share("5"), id: "other", returnValue: { b: 2, a: 1 } }],
    },
  ],
  ["an id of its own", { before: [share("5")], after: [{ ...share("5"), id: "other" }] }],
  ["a fraction", edit(["5", "10"], ["20", "20.5"])],
  ["the form of a stand-in", edit(["5", "10"], ["00000000", "00000000"])],
])("%s: no stand-ins", (_, one) => expect(standInsOf(one)).toBeUndefined())

test("the form of a stand-in in what else is said: no stand-ins", () => {
  expect(standInsOf(edit(["5", "10"]), ["false", "live"])).toBeDefined()
  expect(standInsOf(edit(["5", "10"]), ['{"code":"0000000001"}', "live"])).toBeUndefined()
})

test("puts the percentages back, wherever they stand", () => {
  const one = edit(["5", "50"])
  const standIns = standInsOf(one)
  const [replaced] = standIns?.replaced() ?? []
  const [before, after] = [replaced?.before[1], replaced?.after[1]]
  const said = phrase`${before?.value ?? ""} % and ${`userId percentage ${after?.value}`}, 5 of 50`
  expect(plainPhrase(standIns?.restore(said) ?? [])).toBe("`5` % and `userId percentage 50`, 5 of 50")
})
