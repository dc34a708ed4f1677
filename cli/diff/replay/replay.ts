import { createReadStream } from "node:fs"
import { resolve } from "node:path"
import type { Json } from "../../../proxy/contract/snapshot.ts"
import { type CompiledFlag, evaluateFlag } from "../../../sdk/evaluation/compile-flag.ts"
import type { Evaluation } from "../../../sdk/evaluation/evaluation.ts"
import { createFlagCompiler } from "../../../sdk/evaluation/flag-compiler.ts"
import { canonicalJson } from "../../compile/meaning/canonical-json.ts"
import { timelessEntry } from "../../compile/meaning/timeless-entry.ts"
import { type GivenContext, readContextLines } from "../../evaluate/read-contexts.ts"
import { Failure } from "../../failure.ts"
import type { Host } from "../../host.ts"
import type { Scope } from "../changes/change.ts"
import { givesTheSame } from "../comparison/comparison.ts"
import { pairFlags } from "../sides/pair-flags.ts"
import { environmentNames, type Side } from "../sides/side.ts"

/** What a change does to contexts that somebody brought. */
export interface Replay {
  /** The name of the file that they are from. */
  readonly file: string
  /** How many contexts there were. */
  readonly count: number
  /** How many of them get another value of some flag in some environment. */
  readonly affected: number
  /** How many depend, for some flag, on an operator that only the project's SDKs know. */
  readonly unknown: number
  readonly steps: readonly ReplayStep[]
}

/** Contexts that get one value of a flag instead of another. */
export interface ReplayStep {
  readonly flag: string
  readonly environment: string
  readonly before: Json
  readonly after: Json
  readonly count: number
  /** The first three. */
  readonly first: readonly LineOfContexts[]
}

/** A context and its line, counted from 1. */
type LineOfContexts = GivenContext & { readonly line: number }

/** A flag that both sides have, in one environment. */
interface Subject {
  readonly flag: string
  readonly environment: string
  readonly before: CompiledFlag
  readonly after: CompiledFlag
  /** By both evaluations, of which a flag has one for each rule: so what is kept does not grow with the contexts. */
  readonly tallies: Map<Evaluation, Map<Evaluation, Tally>>
}

interface Tally {
  readonly kind: "same" | "other" | "unknown"
  count: number
  readonly first: LineOfContexts[]
}

const mostShown = 3

/**
 * Evaluates the flags of both sides that differ in each context of a file, or of stdin where its name is `-`. A flag that
 * one side alone has is left out. Throws `Failure` where the file cannot be read, or a line is not a context.
 */
export async function replayContexts(
  file: string,
  before: Side,
  after: Side,
  scope: Scope = () => true,
  { cwd, stdin }: Pick<Host, "cwd" | "stdin">,
): Promise<Replay> {
  const [stream, name] = file === "-" ? [stdin, "stdin"] : [createReadStream(resolve(cwd, file)), file]
  const subjects = await subjectsOf(before, after, scope)
  let [count, affected, unknown] = [0, 0, 0]
  try {
    for await (const given of readContextLines(stream, name)) {
      count++
      const kinds = new Set(subjects.map((subject) => tally(subject, given)))
      if (kinds.has("other")) affected++
      if (kinds.has("unknown")) unknown++
    }
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && "syscall" in cause)) throw cause
    throw new Failure(`--contexts: cannot read ${file}: ${cause.code}`, { cause })
  }
  return { file: name, count, affected, unknown, steps: subjects.flatMap(stepsOf) }
}

async function subjectsOf(before: Side, after: Side, scope: Scope): Promise<readonly Subject[]> {
  const [compilerBefore, compilerAfter] = [createFlagCompiler(), createFlagCompiler()]
  const known = environmentNames(before)
  const shared = environmentNames(after).filter((name) => known.includes(name) && scope(name))
  const subjects: Subject[] = []
  for (const pair of pairFlags(before, after)) {
    if (pair.kind === "added" || pair.kind === "removed") continue
    for (const environment of shared) {
      if (pair.kind === "kept" && givesTheSame(pair.before, pair.after, environment)) continue
      subjects.push({
        flag: pair.after.flag.key,
        environment,
        before: await compilerBefore.compile(timelessEntry(pair.before, environment)),
        after: await compilerAfter.compile(timelessEntry(pair.after, environment)),
        tallies: new Map(),
      })
    }
  }
  return subjects
}

function tally({ before, after, tallies }: Subject, given: LineOfContexts): Tally["kind"] {
  const [one, other] = [evaluateFlag(before, given.context), evaluateFlag(after, given.context)]
  const byAfter = tallies.get(one) ?? new Map<Evaluation, Tally>()
  tallies.set(one, byAfter)
  const own = byAfter.get(other) ?? { kind: kindOf(one, other), count: 0, first: [] }
  byAfter.set(other, own)
  own.count++
  if (own.kind === "other" && own.first.length < mostShown) own.first.push(given)
  return own.kind
}

function kindOf(before: Evaluation, after: Evaluation): Tally["kind"] {
  if (before.kind !== "evaluated" || after.kind !== "evaluated") return "unknown"
  return canonicalJson(before.value) === canonicalJson(after.value) ? "same" : "other"
}

/** One step for each pair of values, in the order of the first context that makes it. */
function stepsOf({ flag, environment, tallies }: Subject): readonly ReplayStep[] {
  const moved = [...tallies].flatMap(([before, byAfter]) =>
    [...byAfter].flatMap(([after, { kind, count, first }]) =>
      kind === "other" && before.kind === "evaluated" && after.kind === "evaluated"
        ? [{ before: before.value, after: after.value, count, first }]
        : [],
    ),
  )
  const byValues = Map.groupBy(moved, ({ before, after }) => canonicalJson([before, after]))
  return [...byValues.values()]
    .flatMap((same) => {
      const first = same.flatMap((one) => one.first).sort((a, b) => a.line - b.line)
      const [{ before, after } = { before: null, after: null }] = same
      const count = same.reduce((sum, one) => sum + one.count, 0)
      return [{ flag, environment, before, after, count, first: first.slice(0, mostShown) }]
    })
    .sort((a, b) => (a.first[0]?.line ?? 0) - (b.first[0]?.line ?? 0))
}
