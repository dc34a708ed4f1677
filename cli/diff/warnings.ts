import type { Rule } from "../../proxy/contract/snapshot.ts"
import type { CompileExpression } from "../../sdk/evaluation/expression.ts"
import { spanOfCondition } from "../compile/definition/condition.ts"
import type { DefinedConfiguration, DefinedRule } from "../compile/definition/definition.ts"
import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import { memberOf } from "../compile/yaml/tree.ts"
import {
  createReport,
  type Diagnostic,
  type Location,
  type Report,
  wholeFile,
} from "../diagnostics/diagnostic.ts"
import type { DiffEnvironment, Scope } from "./change.ts"
import type { ComparedFlag, Comparison } from "./comparison.ts"
import { isOn } from "./outcomes.ts"
import type { FlagOnBothSides, FlagPair, Side } from "./pair-flags.ts"
import { sameRule, sameValue } from "./same.ts"

/** The two sides that a flag is compared in. */
export interface WarningContext {
  readonly before: Side
  readonly after: Side
  readonly environments: readonly DiffEnvironment[]
  readonly scope: Scope
  readonly compileExpression: CompileExpression
}

/**
 * What only a comparison can find in one flag, each at its location. An environment is protected if either side
 * protects it, so a change that lifts the protection does not silence these warnings.
 */
export function warningsOf(
  { pair, comparisons }: ComparedFlag,
  context: WarningContext,
): readonly Diagnostic[] {
  const report = createReport()
  const { environments, scope } = context
  const guarded = environments.filter((environment) => environment.protected).map(({ name }) => name)
  if (pair.kind === "removed" || pair.kind === "renamed")
    removedWhileEnabled(pair, guarded.filter(scope), report)
  if (pair.kind === "kept") typeChanged(pair, report)
  if (pair.kind === "kept" || pair.kind === "renamed") {
    for (const { name } of environments) {
      const comparison = comparisons.get(name)
      if (comparison === undefined) continue
      orderChangesResults(pair, comparison, report)
      percentageChanged(pair, comparison, report)
    }
  }
  if (pair.kind !== "removed") onBeforeStaging(pair, guarded, context, report)
  return report.diagnostics
}

function typeChanged({ before, after }: FlagOnBothSides, report: Report): void {
  const [typeBefore, typeAfter] = [before.flag.type, after.flag.type]
  if (typeBefore === typeAfter) return
  const { definition } = after
  report.add({
    code: "type-changed",
    message: `The type was \`${typeBefore}\` and is now \`${typeAfter}\`: clients that read it as \`${typeBefore}\` break. Add a flag with another key instead.`,
    source: definition.source,
    span: memberOf(definition.root, "type")?.value ?? wholeFile,
  })
}

function removedWhileEnabled(
  { kind, before }: Extract<FlagPair, { before: ResolvedFlag }>,
  guarded: readonly string[],
  report: Report,
): void {
  const how = kind === "renamed" ? "renamed" : "removed"
  for (const environment of guarded) {
    if (before.configurations.get(environment)?.enabled !== true) continue
    report.add({
      code: "removed-while-enabled",
      message: `\`${before.flag.key}\` is ${how} while it is enabled in \`${environment}\`: clients that still ask for it get no flag. Disable it first.`,
      source: before.definition.source,
      span: definedIn(before, environment)?.nameSpan ?? wholeFile,
    })
  }
}

/** Where two rules that are on both sides have changed places, and people move from one to the other. */
function orderChangesResults(
  pair: FlagOnBothSides,
  { environment, moves, match }: Comparison,
  report: Report,
): void {
  const isKept = (side: "from" | "to", at: number) =>
    match?.pairs.some((one) => one[side] === at && sameRule(one.before, one.after)) === true
  const first = moves.find(
    ({ before, after, isOnlyLists }) =>
      !isOnlyLists &&
      before?.rule !== undefined &&
      after.rule !== undefined &&
      isKept("from", before.at) &&
      isKept("to", after.at),
  )
  if (first?.before?.rule === undefined || first.after.rule === undefined) return
  const location = locationOfRule(pair.after, environment, first.after.rule)
  const overtaken = locationOfRule(pair.after, environment, first.before.rule)
  if (location === undefined || overtaken === undefined) return
  report.add({
    code: "order-changes-results",
    message: `In \`${environment}\` this rule now stands before one that returns something else: contexts that match both get another value. Keep the order unless this is intended.`,
    ...location,
    related: [{ message: "The other rule is here.", location: overtaken }],
  })
}

function percentageChanged(pair: FlagOnBothSides, { environment, match }: Comparison, report: Report): void {
  if (pair.after.configurations.get(environment)?.enabled !== true) return
  const wasEnabled = pair.before.configurations.get(environment)?.enabled === true
  for (const { before, after } of match?.pairs ?? []) {
    if (before.operator !== "percentage" || !sameValue(before.returnValue, after.returnValue)) continue
    const isShare = after.operator === "percentage" && after.attribute === before.attribute
    const location = locationOfRule(pair.after, environment, after)
    if (!(isShare || after.operator === "always") || location === undefined) continue
    const [shareBefore, shareAfter] = [Number(before.value), isShare ? Number(after.value) : 100]
    if (wasEnabled && shareAfter < shareBefore) {
      report.add({
        code: "percentage-decreased",
        message: `In \`${environment}\` the percentage falls from ${shareBefore} to ${shareAfter}: people lose what they had. Check that this is intended.`,
        ...location,
      })
    }
    if (shareBefore === 0 && shareAfter === 100) {
      report.add({
        code: "percentage-jumped",
        message: `In \`${environment}\` the percentage goes straight from 0 to 100. Raise it in steps.`,
        ...location,
      })
    }
  }
}

/** A protected environment's staging is the last unprotected one that the project names before it. */
function onBeforeStaging(
  pair: Exclude<FlagPair, { kind: "removed" }>,
  guarded: readonly string[],
  { before, after, scope, compileExpression }: WarningContext,
  report: Report,
): void {
  const names = after.project?.environments.map(({ name }) => name) ?? []
  for (const environment of guarded.filter(scope)) {
    if (
      !names.includes(environment) ||
      !before.project?.environments.some(({ name }) => name === environment)
    )
      continue
    const staging = names.slice(0, names.indexOf(environment)).findLast((name) => !guarded.includes(name))
    if (
      staging === undefined ||
      isOn(pair.after, staging, compileExpression) ||
      !isOn(pair.after, environment, compileExpression)
    )
      continue
    if (pair.kind !== "added" && isOn(pair.before, environment, compileExpression)) continue
    const { definition } = pair.after
    report.add({
      code: "on-before-staging",
      message: `\`${pair.after.flag.key}\` is now on in \`${environment}\` but not in \`${staging}\`. Switch it on there first.`,
      source: definition.source,
      span: definedIn(pair.after, environment)?.nameSpan ?? wholeFile,
    })
  }
}

function definedIn({ definition }: ResolvedFlag, environment: string): DefinedConfiguration | undefined {
  return definition.configurations.find((configuration) => configuration.environment === environment)
}

/** Where a rule is in its file: resolved rules have the order of the defined ones. */
function locationOfRule(flag: ResolvedFlag, environment: string, rule: Rule): Location | undefined {
  const index =
    flag.configurations.get(environment)?.rules.findIndex((another) => sameRule(another, rule)) ?? -1
  const defined: DefinedRule | undefined = definedIn(flag, environment)?.rules[index]
  if (defined === undefined) return undefined
  const { condition } = defined
  const isShare = condition.kind === "comparison" && condition.operator?.text === "percentage"
  const node = (isShare ? condition.value : undefined) ?? spanOfCondition(condition)
  return { source: flag.definition.source, span: { start: node.start, end: node.end } }
}
