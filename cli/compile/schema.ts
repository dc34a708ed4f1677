import { environmentNamePattern } from "../../proxy/contract/environment-name.ts"
import { flagKeyPattern, operatorPattern, projectNamePattern } from "./names.ts"
import { operators } from "./operators.ts"
import type { Project } from "./project.ts"

/** The types that a flag's value can have. */
export const flagTypes = ["boolean", "string", "number", "json"] as const

const text = { type: "string" } as const
const id = { type: "string", minLength: 1, maxLength: 300 } as const

function mapping(properties: Record<string, object>, required: readonly string[] = []) {
  return { type: "object", properties, required, additionalProperties: false }
}

/** The shape of a flag file in this project. What depends on more than one member is for the laws of `rules/`. */
export function flagFileSchema(project: Pick<Project, "environments" | "operators">): object {
  const rule = mapping(
    {
      id,
      attribute: { type: "string", minLength: 1 },
      operator: { enum: [...operators.keys(), ...project.operators] },
      value: {},
      returnValue: {},
    },
    ["operator", "returnValue"],
  )
  const configuration = mapping({ id, enabled: { type: "boolean" }, rules: { type: "array", items: rule } }, [
    "enabled",
  ])
  return mapping(
    {
      key: { type: "string", pattern: flagKeyPattern.source },
      id,
      name: { type: "string", minLength: 1 },
      description: text,
      type: { enum: flagTypes },
      defaultValue: {},
      owner: text,
      tags: { type: "array", items: text },
      expires: text,
      environments: mapping(
        Object.fromEntries(project.environments.map(({ name }) => [name, configuration])),
      ),
    },
    ["defaultValue"],
  )
}

/** The shape of the project file. */
export const projectFileSchema: object = mapping(
  {
    project: { type: "string", pattern: projectNamePattern.source },
    id,
    environments: {
      type: "array",
      minItems: 1,
      items: {
        if: { type: "object" },
        // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's keyword
        then: mapping({ name: { type: "string", pattern: environmentNamePattern.source }, id }, ["name"]),
        else: { type: "string", pattern: environmentNamePattern.source },
      },
    },
    operators: { type: "array", items: { type: "string", pattern: operatorPattern.source } },
    protected: { type: "array", items: text },
  },
  ["project", "environments"],
)
