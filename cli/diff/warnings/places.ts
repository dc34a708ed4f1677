import type { Rule } from "../../../proxy/contract/snapshot.ts"
import { spanOfCondition } from "../../compile/definition/condition.ts"
import type { DefinedConfiguration, DefinedRule } from "../../compile/definition/definition.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import { sameRule } from "../../compile/meaning/same-rule.ts"
import { memberOf } from "../../compile/yaml/tree.ts"
import { type Location, type Span, wholeFile } from "../../diagnostics/diagnostic.ts"

/** A flag's configuration in an environment, as its author wrote it. */
export function definedIn(
  { definition }: ResolvedFlag,
  environment: string,
): DefinedConfiguration | undefined {
  return definition.configurations.find((configuration) => configuration.environment === environment)
}

/** Where a flag's file names an environment, or the whole file. */
export function locationOfEnvironment(flag: ResolvedFlag, environment: string): Location {
  const { source } = flag.definition
  return { source, span: definedIn(flag, environment)?.nameSpan ?? wholeFile }
}

/** Where the value of a flag's member is, or the whole file. */
export function locationOfMember({ definition }: ResolvedFlag, member: "type" | "defaultValue"): Location {
  return { source: definition.source, span: memberOf(definition.root, member)?.value ?? wholeFile }
}

/** A rule's place in its file: its attribute if that is requested, else its percentage, else its operator. */
export function locationOfRule(
  flag: ResolvedFlag,
  environment: string,
  rule: Rule,
  part?: "attribute",
): Location | undefined {
  // Resolved rules have the order of the defined ones.
  const index =
    flag.configurations.get(environment)?.rules.findIndex((another) => sameRule(another, rule)) ?? -1
  const defined = definedIn(flag, environment)?.rules[index]
  if (defined === undefined) return undefined
  const { start, end } = spanIn(defined, part)
  return { source: flag.definition.source, span: { start, end } }
}

function spanIn({ condition }: DefinedRule, part: "attribute" | undefined): Span {
  const own = "conditions" in condition && condition.ofSplit ? condition.conditions.at(-1) : condition
  if (own?.kind === "comparison") {
    if (part === "attribute" && own.attribute !== undefined) return own.attribute.span
    if (own.operator?.text === "percentage" && own.value !== undefined) return own.value
  }
  return spanOfCondition(condition)
}
