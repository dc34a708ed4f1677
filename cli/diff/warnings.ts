import type { Rule } from "../../proxy/contract/snapshot.ts"
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
import { overtakings } from "./affected.ts"
import type { DiffEnvironment, Scope } from "./change.ts"
import { decisionOf, isOn, sameRule, sameValue } from "./decision.ts"
import { matchRules } from "./match-rules.ts"
import type { FlagPair, Side } from "./pair-flags.ts"

/**
 * What only a comparison can see of one flag, each at its place. An environment is protected where either side says so:
 * taking the protection away must not silence what it is for.
 */
export function warningsOf(
  pair: FlagPair,
  before: Side,
  after: Side,
  environments: readonly DiffEnvironment[],
  scope: Scope,
): readonly Diagnostic[] {
  const report = createReport()
  const guarded = environments.filter((environment) => environment.protected).map(({ name }) => name)
  if (pair.kind === "removed" || pair.kind === "renamed")
    removedWhileEnabled(pair, guarded.filter(scope), report)
  if (pair.kind === "kept") typeChanged(pair, report)
  if (pair.kind === "kept" || pair.kind === "renamed") {
    for (const { name } of environments.filter((environment) => scope(environment.name))) {
      orderChangesResults(pair, name, report)
      percentageChanged(pair, name, report)
    }
  }
  if (pair.kind !== "removed") onBeforeStaging(pair, before, after, guarded, scope, report)
  return report.diagnostics
}

type Both = Extract<FlagPair, { kind: "kept" | "renamed" }>

function typeChanged({ before, after }: Both, report: Report): void {
  if (before.flag.type === after.flag.type) return
  const { definition } = after
  const [old, now] = [before.flag.type, after.flag.type]
  report.add({
    code: "type-changed",
    message: `The type was \`${old}\` and is now \`${now}\`: clients that read it as \`${old}\` break. Add a flag with another key instead.`,
    source: definition.source,
    span: memberOf(definition.root, "type")?.value ?? wholeFile,
  })
}

function removedWhileEnabled(
  { kind, before }: Exclude<FlagPair, { kind: "added" | "kept" }> | Both,
  guarded: readonly string[],
  report: Report,
): void {
  const how = kind === "renamed" ? "renamed" : "removed"
  for (const environment of guarded) {
    if (before.configurations.get(environment)?.enabled !== true) continue
    const defined = definedIn(before, environment)
    report.add({
      code: "removed-while-enabled",
      message: `\`${before.flag.key}\` is ${how} while it is enabled in \`${environment}\`: clients that still ask for it get no flag. Disable it first.`,
      source: before.definition.source,
      span: defined?.nameSpan ?? wholeFile,
    })
  }
}

function orderChangesResults({ before, after }: Both, environment: string, report: Report): void {
  const pairs = overtakings({
    environment,
    before: decisionOf(before, environment),
    after: decisionOf(after, environment),
  })
  const [first] = pairs
  if (first === undefined) return
  const [now, was] = first.map((rule) => locationOfRule(after, environment, rule))
  if (now === undefined || was === undefined) return
  report.add({
    code: "order-changes-results",
    message: `In \`${environment}\` this rule now stands before one that returns something else: contexts that match both get another value. Keep the order if that is not meant.`,
    ...now,
    related: [{ message: "The other rule is here.", location: was }],
  })
}

function percentageChanged({ before, after }: Both, environment: string, report: Report): void {
  const olds = before.configurations.get(environment)
  const news = after.configurations.get(environment)
  if (olds === undefined || news === undefined || !news.enabled) return
  for (const { from, to } of matchRules(olds.rules, news.rules).pairs) {
    const [old, now] = [olds.rules[from], news.rules[to]]
    if (old?.operator !== "percentage" || now === undefined) continue
    const share = now.operator === "always" ? 100 : Number(now.value)
    const location = locationOfRule(after, environment, now)
    const known =
      now.operator === "always" || (now.operator === "percentage" && now.attribute === old.attribute)
    if (!known || location === undefined || !sameValue(old.returnValue, now.returnValue)) continue
    const was = Number(old.value)
    if (olds.enabled && share < was) {
      report.add({
        code: "percentage-decreased",
        message: `In \`${environment}\` the percentage falls from ${was} to ${share}: people lose what they had. Check that this is meant.`,
        ...location,
      })
    }
    if (was === 0 && share === 100) {
      report.add({
        code: "percentage-jumped",
        message: `In \`${environment}\` the percentage goes straight from 0 to 100. Raise it in steps.`,
        ...location,
      })
    }
  }
}

/** The staging of a protected environment is the last unprotected one that the project names before it. */
function onBeforeStaging(
  pair: Exclude<FlagPair, { kind: "removed" }>,
  { project: older }: Side,
  { project }: Side,
  guarded: readonly string[],
  scope: Scope,
  report: Report,
): void {
  const names = project?.environments.map(({ name }) => name) ?? []
  for (const environment of guarded.filter(scope)) {
    if (!names.includes(environment) || !older?.environments.some(({ name }) => name === environment))
      continue
    const staging = names.slice(0, names.indexOf(environment)).findLast((name) => !guarded.includes(name))
    if (staging === undefined || isOn(pair.after, staging) || !isOn(pair.after, environment)) continue
    if (pair.kind !== "added" && isOn(pair.before, environment)) continue
    const { definition } = pair.after
    report.add({
      code: "on-before-staging",
      message: `\`${pair.after.flag.key}\` is now on in \`${environment}\` and is not in \`${staging}\`. Switch it on there first.`,
      source: definition.source,
      span: definedIn(pair.after, environment)?.nameSpan ?? wholeFile,
    })
  }
}

function definedIn({ definition }: ResolvedFlag, environment: string): DefinedConfiguration | undefined {
  return definition.configurations.find((configuration) => configuration.environment === environment)
}

/** A rule's place in the file; resolved rules stand as the defined ones do. */
function locationOfRule(flag: ResolvedFlag, environment: string, rule: Rule): Location | undefined {
  const index = flag.configurations.get(environment)?.rules.findIndex((other) => sameRule(other, rule)) ?? -1
  const defined: DefinedRule | undefined = definedIn(flag, environment)?.rules[index]
  if (defined === undefined) return undefined
  const operator = defined.operator?.text
  const node =
    operator === "percentage" ? (defined.value ?? defined.node) : (defined.operator?.span ?? defined.node)
  return { source: flag.definition.source, span: { start: node.start, end: node.end } }
}
