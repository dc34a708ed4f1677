// @module-tag property
import { Ajv } from "ajv"
import fc from "fast-check"
import { expect, test } from "vitest"
import { checkFlag } from "../../../cli/checks/checks.ts"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { editorSchema } from "../../../cli/editor/editor-schema.ts"
import { type Node, toValue } from "../../../cli/language/tree.ts"
import { deviationsIn } from "../../../cli/reading/deviations.ts"
import { invariantsFileSchema } from "../../../cli/reading/grammar/invariants-schema.ts"
import { projectFileSchema } from "../../../cli/reading/grammar/project-schema.ts"
import {
  flagFileSchema,
  flagMembers,
  segmentFileSchema,
  segmentMembers,
} from "../../../cli/reading/grammar/schema.ts"
import { specFileSchema } from "../../../cli/reading/grammar/spec-schema.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import { createFlagReader } from "../../../cli/reading/read-flag.ts"
import { parseSource } from "../../../cli/yaml/parse.ts"
import { runs } from "../../runs.ts"

const flagFile = flagFileSchema({
  environments: [{ name: "a" }, { name: "b" }],
  operators: ["mine"],
})
const scalar = fc.constantFrom("", "x", "😀", "é".repeat(300), "😀".repeat(151), "a b", 1, true, false, null)
const word = fc.constantFrom("string", "always")
const mostly = (part: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown> = scalar) =>
  fc.oneof({ weight: 40, arbitrary: part }, { weight: 1, arbitrary: fc.oneof(other, fc.constant([])) })
const record = (members: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []) => {
  const misspelt: Record<string, fc.Arbitrary<unknown>> = { ...members, nmae: scalar }
  const others = fc.oneof(
    scalar,
    fc.record(misspelt, { requiredKeys }),
    fc.record(members, { requiredKeys: [] }),
  )
  return mostly(fc.record(members, { requiredKeys }), others)
}
const text = mostly(word)
const comparison = { attribute: text, operator: mostly(word), value: scalar }
const { condition } = fc.letrec((tie) => ({
  condition: fc.oneof({ maxDepth: 3 }, record(comparison), record({ all: tie("list"), none: tie("list") })),
  list: mostly(fc.array(tie("condition"), { maxLength: 2 })),
}))
const any = mostly(fc.array(condition, { maxLength: 2 }))
const rule = record({ id: text, ...comparison, any, returnValue: scalar }, ["returnValue"])
const configuration = record(
  { id: text, enabled: mostly(fc.boolean()), rules: mostly(fc.array(rule, { maxLength: 3 })) },
  ["enabled"],
)
const flag = record(
  {
    ...{ key: text, id: text, name: text, description: text, type: mostly(word), defaultValue: scalar },
    ...{ tags: mostly(fc.array(text, { maxLength: 2 })), expires: text },
    environments: record({ a: configuration, b: configuration }),
  },
  ["defaultValue"],
)
const environment = mostly(fc.oneof(word, record({ name: text, id: text }, ["name"])))
const project = record(
  {
    ...{ project: text, id: text, environments: mostly(fc.array(environment, { maxLength: 3 })) },
    ...{
      operators: mostly(fc.array(text, { maxLength: 2 })),
      protected: mostly(fc.array(text, { maxLength: 2 })),
    },
  },
  ["project", "environments"],
)

const read = [
  ...["type", "enum", "minLength", "maxLength", "pattern", "minItems", "items", "properties", "required"],
  ...["additionalProperties", "if", "then", "else", "examples", "definitions", "$ref", "description"],
]

test("the lists of members are those of the schemas", () => {
  const segmentFile = segmentFileSchema({ environments: [], operators: [] })
  expect(flagMembers).toEqual(Object.keys(flagFile.properties))
  expect(segmentMembers.toSorted()).toEqual(Object.keys(segmentFile.properties).toSorted())
})

test("the reader knows each keyword of the schemas", () => {
  const known = { environments: [{ name: "a" }], operators: [] }
  const schemas = [
    flagFile,
    projectFileSchema,
    segmentFileSchema(known),
    invariantsFileSchema(known),
    specFileSchema(),
  ]
  const unread = new Set<string>()
  const visit = (schema: object) => {
    for (const [keyword, value] of Object.entries(schema)) {
      if (!read.includes(keyword)) unread.add(keyword)
      const inner = ["properties", "definitions"].includes(keyword) ? Object.values(value) : [value]
      if (keyword !== "enum" && keyword !== "examples" && keyword !== "required")
        for (const one of inner) if (typeof one === "object") visit(one)
    }
  }
  schemas.forEach(visit)
  expect([...unread]).toEqual([])
})

test.each([
  { name: "a flag file", schema: flagFile, value: flag },
  { name: "a project file", schema: projectFileSchema, value: project },
])("what the editor's schema refuses of $name, the reader refuses, and nothing else", ({ schema, value }) => {
  const options = { allErrors: true, strict: true, ownProperties: true, validateSchema: false }
  const validate = new Ajv(options).compile(schema)
  let passed = 0
  fc.assert(
    fc.property(value, (value) => {
      const file = parseSource({ path: "/x.yaml", text: JSON.stringify(value) }, createReport())
      const root = file?.root as Node
      const isSound = deviationsIn(root, schema).length === 0
      if (isSound) passed++
      expect(validate(toValue(root))).toBe(isSound)
    }),
    { numRuns: runs(3000) },
  )
  expect(passed).toBeGreaterThan(runs(100))
})

const operator = fc.constantFrom("equals", "in", "exists", "greaterThan", "always")
const operand = fc.constantFrom<unknown>("x", "5", "", ["x"], 5)
const compared = fc.record(
  { attribute: fc.constantFrom("plan", ""), operator, value: operand },
  { requiredKeys: ["operator"] },
)
const ranged = fc.record({ by: fc.constant("id"), to: fc.constantFrom(10, 0, 100, 101, 33.3333) })
const form = fc.oneof(
  compared,
  fc.record({ all: fc.array(compared, { maxLength: 2 }) }),
  fc.record({ share: ranged }),
  fc.record({ flag: fc.constant("g"), is: fc.constantFrom(true, "x") }, { requiredKeys: ["flag"] }),
)
const given = fc.record({ returnValue: fc.constantFrom<unknown>(true, "x", 1) }, { requiredKeys: [] })
const formed = fc.record(
  {
    type: fc.constantFrom("boolean", "string", "number", "json"),
    defaultValue: fc.constantFrom<unknown>(true, "x", 1),
    expires: fc.constantFrom("2026-01-01", "2026-02-30", "soon"),
    environments: fc.record({
      a: fc.record({
        enabled: fc.boolean(),
        rules: fc.array(
          fc.tuple(form, given).map((parts) => Object.assign({}, ...parts)),
          { maxLength: 2 },
        ),
      }),
    }),
  },
  { requiredKeys: ["defaultValue"] },
)

test("what an editor refuses of a flag file, lint refuses, and little else", () => {
  const text = "project: p\nenvironments: [a, b]\noperators: [mine]\n"
  const project = parseProject({ path: "/f/project.yaml", text }, "/f", createReport())
  if (project === undefined) throw new Error("the project has mistakes")
  const inEditor = new Ajv({ strict: false }).compile(editorSchema(project))
  const read = createFlagReader(project)
  const only = new Set<string>()
  fc.assert(
    fc.property(fc.oneof(flag, formed), (value) => {
      const report = createReport()
      const file = parseSource({ path: "/f/x.yaml", text: JSON.stringify(value) }, report)
      const flag = file && read(file, report)
      if (flag !== undefined) checkFlag(flag, project, report)
      if (!inEditor(toValue(file?.root as Node))) expect(report.hasErrors).toBe(true)
      else for (const { code, severity } of report.diagnostics) if (severity === "error") only.add(code)
    }),
    { numRuns: runs(3000) },
  )
  const beyondSchemas = ["bad-expiry", "bad-share", "duplicate-rule", "unreachable-rule"]
  expect([...only].filter((code) => !beyondSchemas.includes(code))).toEqual([])
  expect(only.size).toBeGreaterThan(0)
})
