import type { Json } from "../../sdk/contract/snapshot.ts"
import { compareText } from "../diagnostics/diagnostic.ts"
import { sentFlag } from "../flag/sent-flag.ts"
import type { Flag } from "../language/flag.ts"
import type { Project } from "../reading/project.ts"

/** What code that reads a flag needs to know about it, across all environments. */
export interface DeclaredFlag {
  readonly key: string
  readonly description: string
  /** A number is an integer if it is whole in every environment. */
  readonly type: "boolean" | "string" | "integer" | "float" | "object"
  readonly defaultValue: Json
  /** Its distinct values in all environments, the default first. */
  readonly values: readonly Json[]
}

/** The flags of a project, sorted by their keys. */
export function declaredFlags(
  flags: Iterable<Flag>,
  { environments }: Pick<Project, "environments">,
): readonly DeclaredFlag[] {
  const names = environments.map(({ name }) => name)
  return [...flags].map((flag) => declare(flag, names)).sort((a, b) => compareText(a.key, b.key))
}

function declare(flag: Flag, environments: readonly string[]): DeclaredFlag {
  const { key, description, type, defaultValue } = sentFlag(flag)
  const rules = environments.flatMap((name) => flag.configurations.get(name)?.rules ?? [])
  const all = [defaultValue, ...rules.map(({ gives }) => gives)]
  const values = [...new Map(all.map((value) => [JSON.stringify(value), value])).values()]
  const kindOfNumber = values.every(Number.isInteger) ? "integer" : "float"
  const kind = type === "json" ? "object" : type === "number" ? kindOfNumber : type
  return { key, description, type: kind, defaultValue, values }
}
