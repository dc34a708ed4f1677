import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Code } from "../../diagnostics/codes.ts"
import { createReport, type Diagnostic, type Report } from "../../diagnostics/diagnostic.ts"
import { momentWords } from "../../diagnostics/moment-words.ts"
import { joinLast, messageOf, phrase, plainPhrase } from "../../diagnostics/phrase.ts"
import { sentFlag } from "../../flag/sent-flag.ts"
import type { Flag } from "../../language/flag.ts"
import type { DiffEnvironment, Scope } from "../changes/change.ts"
import type { ComparedFlag } from "../effects/compared-flag.ts"
import { comparable, type FlagOnBothSides, type FlagPair } from "../sides/pair-flags.ts"
import type { RenamedEnvironments } from "../sides/renamed-environments.ts"
import { environmentNames, type Side } from "../sides/side.ts"
import { isOn } from "../transitions/outcomes.ts"
import { type GateWarning, gateCodes } from "./gate-warning.ts"
import { locationOfEnvironment, locationOfMember } from "./places.ts"
import { warningsInTime } from "./warnings-in-time.ts"

/** The codes of all warnings that only a diff finds. */
export const diffCodes = [
  "type-changed",
  "removed-while-enabled",
  ...gateCodes,
  "on-before-staging",
  "protected-environment-removed",
  "protection-removed",
  "project-renamed",
  "broken-invariant",
] as const satisfies readonly Code[]

/** What the warnings about a flag need besides the flag. */
export interface WarningContext {
  readonly before: Side
  readonly after: Side
  readonly renamed: RenamedEnvironments
  readonly environments: readonly DiffEnvironment[]
  readonly scope: Scope
  readonly compileExpression: CompileExpression
}

/**
 * What only a diff can find in one flag, each at its location. An environment is protected if either side
 * protects it, so a change that lifts the protection does not silence these warnings.
 */
export function warningsOf(
  { pair, transitions }: ComparedFlag,
  context: WarningContext,
): readonly Diagnostic[] {
  const report = createReport()
  const { environments, scope, after } = context
  const manyChange = after.project?.manyChange ?? 100
  const guarded = environments.filter((environment) => environment.protected).map(({ name }) => name)
  if (pair.kind === "removed" || pair.kind === "renamed")
    removedWhileEnabled(pair, guarded.filter(scope), report)
  if (pair.kind === "kept" || pair.kind === "renamed") {
    typeChanged(pair, report)
    const sides = comparable(pair)
    const found: (GateWarning & { readonly environment: string })[] = []
    for (const environment of guarded) {
      const transition = transitions.get(environment)
      if (transition === undefined) continue
      found.push(
        ...warningsInTime({ pair: sides, transition, manyChange }).map((warning) => ({
          ...warning,
          environment,
        })),
      )
    }
    // YAML anchors can give several environments one rule.
    const byPlace = Map.groupBy(found, ({ code, words, source, span, from }) =>
      JSON.stringify([code, plainPhrase(words), source.path, span.start, from]),
    )
    for (const own of byPlace.values())
      for (const { environment: _, words, from, ...finding } of own.slice(0, 1)) {
        const names = joinLast(
          own.map(({ environment }) => phrase`${environment}`),
          "and",
        )
        const when = from === undefined ? [", "] : [`, from ${momentWords(from)}, `]
        report.add({ ...finding, ...messageOf(phrase`In ${names}${when}${words}`) })
      }
  }
  if (pair.kind !== "removed") onBeforeStaging(pair, guarded, context, report)
  return report.diagnostics
}

function typeChanged({ before, after }: FlagOnBothSides, report: Report): void {
  const [typeBefore, typeAfter] = [sentFlag(before).type, sentFlag(after).type]
  if (typeBefore === typeAfter) return
  report.add({
    code: "type-changed",
    ...messageOf(
      phrase`The type was ${typeBefore} and is now ${typeAfter}: clients that read it as ${typeBefore} break. Add a flag with a different key instead.`,
    ),
    ...locationOfMember(after, "type"),
  })
}

function removedWhileEnabled(
  { kind, before }: Extract<FlagPair, { before: Flag }>,
  guarded: readonly string[],
  report: Report,
): void {
  const enabled = guarded.filter((environment) => before.configurations.get(environment)?.enabled === true)
  const [first] = enabled
  if (first === undefined) return
  const names = joinLast(
    enabled.map((environment) => phrase`${environment}`),
    "and",
  )
  const [how, advice] =
    kind === "renamed"
      ? ["renamed", "Keep it beside the new one until no client asks for it."]
      : ["removed", "Remove the code that asks for it first."]
  report.add({
    code: "removed-while-enabled",
    ...messageOf(
      phrase`The flag is ${[how]} while it is enabled in ${names}: clients that still ask for it get no flag. ${[advice]}`,
    ),
    ...locationOfEnvironment(before, first),
  })
}

/** A protected environment's staging is the last unprotected one that the project names before it. */
function onBeforeStaging(
  pair: Exclude<FlagPair, { kind: "removed" }>,
  guarded: readonly string[],
  { before, after, renamed, scope, compileExpression }: WarningContext,
  report: Report,
): void {
  const names = environmentNames(after)
  const known = environmentNames(before)
  const isOnIn = (flag: Flag, environment: string) => isOn(flag, environment, compileExpression)
  for (const environment of guarded.filter(scope)) {
    const old = renamed.get(environment) ?? environment
    if (!names.includes(environment) || !known.includes(old)) continue
    const staging = names.slice(0, names.indexOf(environment)).findLast((name) => !guarded.includes(name))
    if (staging === undefined || isOnIn(pair.after, staging) || !isOnIn(pair.after, environment)) continue
    if (pair.kind !== "added" && [environment, old].some((name) => isOnIn(pair.before, name))) continue
    report.add({
      code: "on-before-staging",
      ...messageOf(
        phrase`The flag is now on in ${environment} but not in ${staging}. Switch it on there first.`,
      ),
      ...locationOfEnvironment(pair.after, environment),
    })
  }
}
