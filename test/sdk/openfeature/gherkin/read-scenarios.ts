import { readFileSync } from "node:fs"
import { join } from "node:path"
import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from "@cucumber/gherkin"
import { IdGenerator } from "@cucumber/messages"

/** One scenario, or one example of an outline. */
export interface Scenario {
  readonly name: string
  /** The place of the scenario, or its example, in the file. */
  readonly line: number
  /** Those of the background come first. */
  readonly steps: readonly ScenarioStep[]
}

export interface ScenarioStep {
  readonly text: string
  /** The rows of its table, with the head; none without a table. */
  readonly rows: readonly (readonly string[])[]
}

/** The scenarios of a feature file beside this one, in its order. */
export function readScenarios(file: string): readonly Scenario[] {
  const newId = IdGenerator.incrementing()
  const parser = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher())
  const document = parser.parse(readFileSync(join(import.meta.dirname, file), "utf8"))
  return compile(document, file, newId).map(({ name, location, steps }) => ({
    name,
    line: location?.line ?? 0,
    steps: steps.map(({ text, argument }) => ({
      text,
      rows: argument?.dataTable?.rows.map(({ cells }) => cells.map(({ value }) => value)) ?? [],
    })),
  }))
}
