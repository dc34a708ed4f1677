import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Json } from "../../../../sdk/contract/snapshot.ts"
import { createProjectRepository } from "../../../repository.ts"
import testFlags from "./test-flags.json" with { type: "json" }

interface TestFlag {
  readonly disabled?: boolean
  readonly variants: Readonly<Record<string, Json>>
  /** Missing or null only if a flag is for `evaluation.feature`. All flags have a default in Flagstone. */
  readonly defaultVariant?: string | null
  readonly contextEvaluator?: string
}

const ballmer = { attribute: "email", operator: "equals", value: "ballmer@macrosoft.com" }

/** A rule of `test-flags.json` in CEL: the condition, and the variant that it gives. */
const targeting: Readonly<Record<string, readonly [object, string]>> = {
  "email == 'ballmer@macrosoft.com' ? 'zero' : ''": [ballmer, "zero"],
  "!customer && email == 'ballmer@macrosoft.com' && age > 10 ? 'internal' : ''": [
    {
      all: [
        { none: [{ attribute: "customer", operator: "equals", value: "true" }] },
        ballmer,
        { attribute: "age", operator: "greaterThan", value: "10" },
      ],
    },
    "internal",
  ],
}

/** The flags of `test-flags.json` as `flagstone build` compiles them for `production`: the files of `dist/`. */
export async function buildTestFlags(): Promise<Map<string, string>> {
  const { folder, write, commit, flagstone } = createProjectRepository()
  try {
    for (const [key, flag] of Object.entries<TestFlag>(testFlags)) {
      const definition = define(flag)
      if (definition !== undefined) write(`flags/${key}.yaml`, JSON.stringify(definition))
    }
    commit(0)
    const { status, err } = await flagstone(["build"])
    if (status !== 0) throw new Error(err)
    const names = ["manifest.json", "production.json", "staging.json"]
    return new Map(names.map((name) => [name, readFileSync(join(folder, "dist", name), "utf8")]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A flag as an author writes it; JSON is YAML. `undefined`: it has no default. */
function define({ disabled = false, variants, defaultVariant, contextEvaluator }: TestFlag) {
  if (defaultVariant == null) return undefined
  const defaultValue = variants[defaultVariant] as Json
  const type = typeof defaultValue
  return {
    type: type === "object" ? "json" : type,
    defaultValue,
    environments: { production: { enabled: !disabled, rules: rulesOf(contextEvaluator, variants) } },
  }
}

function rulesOf(evaluator: string | undefined, variants: TestFlag["variants"]): readonly object[] {
  if (evaluator === undefined) return []
  const found = targeting[evaluator]
  if (found === undefined)
    throw new Error(`test-flags.json has targeting that is not known here: ${evaluator}`)
  const [condition, variant] = found
  return [{ ...condition, returnValue: variants[variant] }]
}
