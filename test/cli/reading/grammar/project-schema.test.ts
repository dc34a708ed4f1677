import { expect, test } from "vitest"
import { createReport } from "../../../../cli/diagnostics/diagnostic.ts"
import { checkProject } from "../../../../cli/reading/check-project.ts"
import { projectFileSchema } from "../../../../cli/reading/grammar/project-schema.ts"
import { parseSource } from "../../../../cli/yaml/parse.ts"

interface Schema {
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly required?: readonly string[]
}

/** An example that editors show, or one made of those so many levels below: a list has an item for each optional field. */
function exampleOf({ examples, properties, items }: Schema, below: number): unknown {
  if (below > 0 && properties !== undefined) return exampleWith(Object.keys(properties), properties, below)
  const { properties: ofItem, required = [] } = items ?? {}
  if (below === 0 || ofItem === undefined) return examples?.[0]
  const optional = Object.keys(ofItem).filter((name) => !required.includes(name))
  return optional.map((name) => exampleWith([...required, name], ofItem, below))
}

function exampleWith(names: readonly string[], properties: Schema["properties"] = {}, below = 1): object {
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {}, below - 1)]))
}

test.each([1, 2, 3])(
  "examples that editors show, from level %i, make a project file without errors",
  (level) => {
    const text = JSON.stringify(exampleOf(projectFileSchema, level))
    const report = createReport()
    const file = parseSource({ path: "/flags/project.yaml", text }, report)
    if (file !== undefined) checkProject(file, report)
    expect(text).toContain('"environments":["development","staging","production"]')
    expect(report.diagnostics).toEqual([])
  },
)
