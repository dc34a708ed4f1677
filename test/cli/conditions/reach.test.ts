import { describe, expect, test } from "vitest"
import { changesValue, type Reach, reachOf } from "../../../cli/conditions/reach.ts"
import { createWork, stepsForFlag } from "../../../cli/conditions/work.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"
import { contextsOfSent } from "./contexts-of-sent.ts"
import { scope } from "./world.ts"

type Written = readonly [attribute: string, operator: string, value?: string | readonly unknown[]]

function conditionOf([attribute, operator, value = ""]: Written): Condition {
  if (operator === "all" || operator === "any" || operator === "none")
    return { attribute, operator, value: JSON.stringify((value as readonly Written[]).map(conditionOf)) }
  return { attribute, operator, value: typeof value === "string" ? value : JSON.stringify(value) }
}

const setsOf = (rules: readonly Written[]) => rules.map((rule) => contextsOfSent(conditionOf(rule), scope))
const reach = (...rules: readonly Written[]): readonly Reach[] => reachOf(setsOf(rules))

/** The answer about the last rule. */
const last = (...rules: readonly Written[]): Reach | undefined => reach(...rules).at(-1)

const age: Written = ["age", "lessThan", "5"]
const country: Written = ["country", "equals", "DE"]

describe("a rule that no context reaches, with the rules that shadow it", () => {
  test.each<readonly [string, readonly Written[], readonly number[]]>([
    [
      "a smaller percentage of one attribute",
      [["id", "percentage", "50"], country, ["id", "percentage", "30"]],
      [0],
    ],
    [
      "a version inside an earlier range",
      [
        ["v", "semverEquals", "130.*"],
        ["v", "semverEquals", "v130.4.1-rc.1"],
      ],
      [0],
    ],
    [
      "a suffix after a part of it",
      [
        ["email", "contains", "@"],
        ["email", "endsWith", "@example.com"],
      ],
      [0],
    ],
    [
      "a list eaten by two rules together",
      [["country", "in", ["AT", "DE"]], age, ["country", "in", ["CH"]], ["country", "in", ["CH", "DE"]]],
      [0, 2],
    ],
    [
      "numbers, non-numbers, and nothing",
      [age, ["age", "greaterThanOrEquals", "5"], ["age", "notExists"], ["", "none", [age]], country],
      [0, 3],
    ],
    [
      "a composite that two others share out",
      [
        ["", "all", [country, ["plan", "equals", "pro"]]],
        ["", "all", [country, ["", "none", [["plan", "equals", "pro"]]]]],
        ["", "all", [country, age]],
      ],
      [0, 1],
    ],
    [
      "versions without room between two others",
      [
        ["v", "semverLessThanOrEquals", "1-a"],
        ["v", "semverGreaterThanOrEquals", "1-a.0"],
        ["v", "semverLessThan", "5"],
      ],
      [0, 1],
    ],
    ["an operand that cannot be read, inside none too", [["", "none", [["age", "lessThan", "five"]]]], []],
    [
      "an expression that was asked before",
      [
        ["x", "matches", "^a+$"],
        ["x", "matches", "^a+$"],
      ],
      [0],
    ],
    [
      "an operator of the project's own and its opposite",
      [["x", "ours", "1"], ["", "none", [["x", "ours", "1"]]], country],
      [0, 1],
    ],
  ])("%s", (_, rules, shadows) => expect(last(...rules)).toEqual({ kind: "unreachable", shadows }))
})

describe("a context that a rule is the first to match", () => {
  test.each<readonly [string, readonly Written[], object]>([
    [
      "a text between a prefix and a suffix",
      [
        ["e", "equals", "a@b"],
        [
          "",
          "all",
          [
            ["e", "startsWith", "a"],
            ["e", "endsWith", "@b"],
          ],
        ],
      ],
      { e: "ax@b" },
    ],
    ["a number between two others", [age, ["age", "greaterThan", "6"], ["age", "lessThan", "7"]], { age: 6 }],
    [
      "a version before a range",
      [
        ["v", "semverGreaterThanOrEquals", "2.*"],
        ["v", "semverGreaterThan", "1.9"],
      ],
      { v: "1.10" },
    ],
  ])("%s", (_, rules, witness) => {
    const answer = last(...rules)
    expect(answer).toMatchObject({ kind: "reached" })
    if (answer?.kind === "reached" && !("id" in witness)) expect(answer.witness).toEqual(witness)
  })

  test("only a list or an object", () => {
    const [a, b]: readonly Written[] = [
      ["tags", "equals", "a"],
      ["tags", "equals", "b"],
    ]
    expect(last(["", "all", [a, b] as readonly Written[]])).toEqual({
      kind: "reachedByLists",
      witness: { tags: ["b", "a"] },
      shadows: [],
    })
    expect(last(["tags", "notIn", ["a"]], ["tags", "equals", "a"], ["tags", "exists"])).toEqual({
      kind: "reachedByLists",
      witness: { tags: {} },
      shadows: [0, 1],
    })
  })
})

describe("unknown answers", () => {
  test("expressions that differ", () =>
    expect(last(["x", "matches", "^a+$"], ["x", "matches", "^(a|aa)$"])).toEqual({
      kind: "unknown",
      because: "expression",
    }))

  test("the project's own operators", () =>
    expect(last(["x", "ours", "1"], country)).toEqual({ kind: "unknown", because: "operator" }))

  test("strings of more than 1,000 characters, unless they are equal", () => {
    const long = "a".repeat(1_001)
    expect(last(["x", "contains", long])).toEqual({ kind: "unknown", because: "bound" })
    expect(last(["x", "contains", long], ["x", "contains", long])).toEqual({
      kind: "unreachable",
      shadows: [0],
    })
  })
})

describe("large flags", () => {
  const at = (index: number, step: number, size: number) => (index * step) % size

  /** A comparison of one of five attributes, in a thousand ways. */
  const ordinary = (index: number): Written => {
    const kinds: readonly Written[] = [
      ["country", "in", Array.from({ length: 5 }, (__, item) => `C${at(index + item * 7, 389, 997)}`)],
      ["plan", "equals", `p${at(index, 7, 400)}`],
      ["email", "endsWith", `@x${at(index, 31, 300)}.example`],
      ["version", "semverEquals", `${index % 3}.${at(index, 17, 50)}.${at(index, 13, 50)}`],
      ["id", "percentage", String(at(index, 37, 101))],
    ]
    return kinds[index % kinds.length] ?? age
  }
  const together = (index: number): Written => [
    "",
    "all",
    [ordinary(index), ordinary(at(index, 7, 991) >> 1)],
  ]

  test.each([
    ["1,000 rules over 5 attributes", ordinary, 0.5],
    ["1,000 rules over 2 of 5 attributes each", together, 0.7],
  ])("%s are all answered, and leave some of the steps", (_, ruleAt, fraction) => {
    const rules = Array.from({ length: 1_000 }, (__, index) => ruleAt(index))
    const kinds = Map.groupBy(reachOf(setsOf(rules), stepsForFlag * fraction), ({ kind }) => kind)
    expect(kinds.get("unknown")).toBeUndefined()
    expect(kinds.get("reached")?.length).toBeGreaterThan(300)
    expect(kinds.get("unreachable")?.length).toBeGreaterThan(100)
  })

  test("a hostile one reaches the bound, and its first rules are answered", () => {
    // The pigeonhole problem, with nine pigeons and eight holes: no context solves it, but that is hard to prove.
    const names = Array.from({ length: 9 }, (_, pigeon) => `p${pigeon}`)
    const holes = Array.from({ length: 8 }, (_, hole) => String(hole))
    const shared = names.flatMap((one, index) =>
      names.slice(index + 1).flatMap((two) =>
        holes.map(
          (hole): Written => [
            "",
            "all",
            [
              [one, "equals", hole],
              [two, "equals", hole],
            ],
          ],
        ),
      ),
    )
    const answers = reach(...shared, ["", "all", names.map((name): Written => [name, "in", holes])])
    expect(answers[0]).toMatchObject({ kind: "reached" })
    expect(answers.at(-1)).toEqual({ kind: "unknown", because: "bound" })
  })

  test("10,000 rules whose values alternate are answered or given up", () => {
    const rules = Array.from(
      { length: 10_000 },
      (_, index): Written => [`a${index % 50}`, "equals", `${index}`],
    )
    const values = [...rules.map((_, index) => String(index % 100)), "off"]
    const sets = setsOf(rules)
    for (const at of [0, 5_000, 9_999])
      expect([true, undefined]).toContain(changesValue(sets, values, at, createWork(stepsForFlag)))
    expect(changesValue(sets.slice(0, 200), values.slice(0, 201), 100, createWork(stepsForFlag))).toBe(true)
    const same = values.map(() => "on")
    expect(changesValue(sets.slice(0, 200), same.slice(0, 201), 100, createWork(stepsForFlag))).toBe(false)
  })

  test("10,000 rules with as many attributes are answered or given up", () => {
    const rules = Array.from(
      { length: 5_000 },
      (_, index): Written => [
        "",
        "all",
        [
          [`a${index}`, "exists"],
          [`a${index}`, "notEquals", "x"],
        ],
      ],
    )
    const missing = rules.map((_, index): Written => [`a${index}`, "notExists"])
    const answers = reach(...missing, ...rules)
    expect(answers[0]).toMatchObject({ kind: "reached" })
    expect(answers.at(-1)).toMatchObject({ kind: "unknown" })
  })
})
