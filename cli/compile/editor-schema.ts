import { operandPatterns } from "./operand.ts"
import { operators } from "./operators.ts"
import type { Project } from "./project.ts"
import { flagFileSchema } from "./schema.ts"

/**
 * The JSON Schema of a flag file in this project as an editor wants it: the shape that lint checks, and of its laws
 * those that a schema can say. Draft 7, which the YAML language server knows best.
 */
export function editorSchema(project: Pick<Project, "name" | "environments" | "operators">): object {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: `A feature flag of ${project.name}`,
    description: "Made by flagstone from project.yaml, and kept up to date by build and lint: do not edit.",
    ...flagFileSchema(project),
    allOf: [
      ...(["boolean", "string", "number"] as const).map(valuesOfType),
      forEachRule({ allOf: [...operators.keys()].map(operandOf) }),
    ],
  }
}

/** In a flag of that type every value is; a flag without `type` is boolean. */
function valuesOfType(type: "boolean" | "string" | "number"): object {
  const isType = {
    properties: { type: { const: type } },
    ...(type === "boolean" ? {} : { required: ["type"] }),
  }
  const { properties } = forEachRule({ properties: { returnValue: { type } } })
  return when(isType, { properties: { defaultValue: { type }, ...properties } })
}

/** What a rule with that operator has beside it. */
function operandOf(name: string): object {
  const { operand, takesAttribute } = operators.get(name) ?? { operand: "text", takesAttribute: true }
  const required = [...(takesAttribute ? ["attribute"] : []), ...(operand === "none" ? [] : ["value"])]
  const refused = {
    ...(takesAttribute ? {} : { attribute: false }),
    ...(operand === "none" ? { value: false } : {}),
  }
  const text = { type: "string", ...operandPatterns[operand] }
  const value =
    operand === "list" ? { type: ["array", "string"], items: { type: "string" }, minItems: 1 } : text
  return when(
    { properties: { operator: { const: name } }, required: ["operator"] },
    { properties: operand === "none" ? refused : { ...refused, value }, required },
  )
}

function forEachRule(rule: object) {
  const rules = { properties: { rules: { items: rule } } }
  return { properties: { environments: { additionalProperties: rules } } }
}

function when(condition: object, consequence: object): object {
  // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's keyword
  return { if: condition, then: consequence }
}
