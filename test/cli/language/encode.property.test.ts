// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { type Condition, seededBy } from "../../../cli/language/condition.ts"
import { createEncode } from "../../../cli/language/encode.ts"
import { referenceName, referencesIn, resolved, written } from "../../../cli/language/references.ts"
import { type Fields, fieldsOf } from "../../../cli/language/written-condition.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import { runs } from "../../runs.ts"
import { checkFiles } from "../check-files.ts"
import { decode } from "../decode.ts"

const project = parseProject(
  { path: "/p/project.yaml", text: "project: p\nenvironments: [live]\noperators: [isMine]\n" },
  "/p",
  createReport(),
)

const attribute = fc.constantFrom("x", "y", 'quoted "name"')
const text = fc.constantFrom("a", "1.10", '"', "\\", "line\nline", "é", "[]", "")
const comparing = (operators: readonly string[], operand: fc.Arbitrary<string | readonly string[]>) =>
  fc.record(
    {
      kind: fc.constant("comparison" as const),
      attribute,
      operator: fc.constantFrom(...operators),
      operand,
      ignoreCase: fc.constant(true),
    },
    { requiredKeys: ["kind", "attribute", "operator", "operand"] },
  )
const plainly = (operators: readonly string[], operand: fc.Arbitrary<string>) =>
  comparing(operators, operand).map(({ ignoreCase: _, ...comparison }) => comparison)
/** In thousandths of a percent. */
const end = fc.integer({ min: 1, max: 100_000 })
const percent = end.map((thousandths) => thousandths / 1_000)
const share = { kind: fc.constant("share" as const), by: attribute }
const firstShare = fc.oneof(
  fc.record({ ...share, from: fc.constant(0), to: percent, seed: fc.constantFrom(undefined, "s", 'a"b') }),
  fc.constantFrom("25", "25.50", "0.1", "100", "007").chain((text) =>
    fc.record({
      ...share,
      ...{ from: fc.constant(0), to: fc.constant(Number(text)), seed: fc.constant(undefined) },
      text: fc.constant(text),
    }),
  ),
)
const shareWithSeed = (seed: fc.Arbitrary<string | undefined>) =>
  fc
    .uniqueArray(end, { minLength: 2, maxLength: 2 })
    .map((ends) => ends.toSorted((a, b) => a - b).map((thousandths) => thousandths / 1_000))
    .chain(([from = 0, to = 0]) =>
      fc.record({ ...share, from: fc.constant(from), to: fc.constant(to), seed }),
    )
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  comparing(["equals", "notEquals", "contains", "startsWith"], text),
  comparing(["in", "notIn"], fc.uniqueArray(text, { minLength: 1, maxLength: 3 })),
  plainly(["greaterThan", "lessThanOrEquals"], fc.constantFrom("18", "-1.5")),
  plainly(["exists", "notExists"], fc.constant("")),
  plainly(["isMine"], text),
  firstShare,
  shareWithSeed(fc.constantFrom("s", 'a"b')),
)
/** Conditions of at most three groups in each other, with these leaves. */
function groupsOf(leaves: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> {
  return fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3, depthSize: "medium" },
      leaves,
      fc.record({
        kind: fc.constantFrom("all" as const, "any" as const, "none" as const),
        parts: fc.array(tie("condition"), { minLength: 1, maxLength: 3 }),
      }),
    ),
  })).condition
}

/** A flag's condition, and those of the segment and of the flag that it uses. */
const files = fc.record({ segment: groupsOf(leaf), other: groupsOf(leaf) }).chain(({ segment, other }) => {
  const inOther = seededBy("other", other)
  const flag = { kind: "flag" as const, key: "other", environment: "live" }
  const uses: readonly Condition[] = [
    { kind: "segment", name: "s", means: segment },
    { ...flag, is: true, means: inOther },
    { ...flag, is: false, means: { kind: "none", parts: [inOther] } },
  ]
  const condition = groupsOf(fc.oneof(leaf, shareWithSeed(fc.constant(undefined)), fc.constantFrom(...uses)))
  return fc.record({ segment: fc.constant(segment), other: fc.constant(other), condition })
})

function sentByBuild(segment: Condition, other: Condition, condition: Condition) {
  if (project === undefined) throw new Error("the project has mistakes")
  const rule = (condition: Condition) => ({ ...fieldsOf(condition), returnValue: true })
  const flag = (rules: readonly Fields[]) => ({
    defaultValue: false,
    environments: { live: { enabled: true, rules } },
  })
  const sources = [
    { path: "/p/s.segment.yaml", text: JSON.stringify(fieldsOf(segment)) },
    { path: "/p/other.yaml", text: JSON.stringify(flag([rule(other)])) },
    { path: "/p/a.yaml", text: JSON.stringify(flag([rule(condition)])) },
  ]
  const { flags } = checkFiles(sources, project, createReport())
  const [first] = flags.find(({ key }) => key === "a")?.configurations.get("live")?.rules ?? []
  const sent = first?.sent
  return sent && { attribute: sent.attribute, operator: sent.operator, value: sent.value }
}

test("what is encoded is what a build sends for the fields that an author writes", () => {
  fc.assert(
    fc.property(files, ({ segment, other, condition }) => {
      expect(createEncode("a")(condition)).toEqual(sentByBuild(segment, other, condition))
    }),
    { numRuns: runs(200) },
  )
})

test("a written condition that was JSON is sent as before, once its references are resolved", () => {
  fc.assert(
    fc.property(files, ({ condition }) => {
      const meanings = new Map(referencesIn(condition).map((one) => [referenceName(one), one.means]))
      const text = JSON.stringify(written(condition))
      expect(text).not.toContain('"means"')
      const read = resolved(JSON.parse(text), (one) => meanings.get(referenceName(one)))
      expect(createEncode("a")(read)).toEqual(createEncode("a")(condition))
    }),
    { numRuns: runs(200) },
  )
})

/** The condition with what its references mean, its shares' seeds, and their texts where these differ from the number. */
function meantIn(key: string, condition: Condition): Condition {
  if ("parts" in condition) return { ...condition, parts: condition.parts.map((part) => meantIn(key, part)) }
  if ("means" in condition) return meantIn(key, condition.means ?? condition)
  if (condition.kind !== "share") return condition
  const { text, ...share } = condition
  const seed = share.seed ?? (share.from > 0 ? key : undefined)
  return { ...share, seed, ...(text !== undefined && text !== String(share.to) && { text }) }
}

test("what is decoded is what was encoded", () => {
  fc.assert(
    fc.property(files, ({ condition }) => {
      const encoded = createEncode("a")(condition)
      if (encoded === undefined) throw new Error("too long")
      const decoded = decode(encoded)
      expect(decoded).toEqual(meantIn("a", condition))
      expect(decoded && createEncode("b")(decoded)).toEqual(encoded)
    }),
    { numRuns: runs(300) },
  )
})
