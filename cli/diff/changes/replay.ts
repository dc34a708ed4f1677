import { createReadStream } from "node:fs"
import { resolve } from "node:path"
import type { Json } from "../../../sdk/contract/snapshot.ts"
import { type CompiledRules, evaluateFlag } from "../../../sdk/evaluation/compile-flag.ts"
import { createFlagCompiler } from "../../../sdk/evaluation/flag-compiler.ts"
import { type GivenContext, readContextLines } from "../../evaluate/read-contexts.ts"
import { Failure } from "../../failure.ts"
import { timelessEntry } from "../../flag/sent-flag.ts"
import type { Host } from "../../host.ts"
import { canonicalJson, sameValue } from "../../language/canonical-json.ts"
import { pairFlags } from "../sides/pair-flags.ts"
import { renamedEnvironments } from "../sides/renamed-environments.ts"
import { environmentNames, type Side } from "../sides/side.ts"
import { givesTheSame } from "../transitions/transition.ts"
import type { Scope } from "./change.ts"

/** What a change does to given contexts. */
export interface Replay {
  /** The name of their file. */
  readonly file: string
  /** How many contexts there were. */
  readonly count: number
  /** How many of them get a different value for some flag in some environment. */
  readonly affected: number
  /** How many depend, for some flag, on an operator that only the project's SDKs support. */
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
  readonly before: CompiledRules
  readonly after: CompiledRules
  /** By both values, in the order of their first contexts. Memory does not grow with the number of contexts. */
  readonly steps: Map<string, CountedStep>
}

interface CountedStep extends ReplayStep {
  count: number
  readonly first: LineOfContexts[]
}

const mostShown = 3

/**
 * Evaluates the flags that differ between the sides in each context of a file, or of stdin if its name is `-`. A flag that
 * only one side has is left out. Throws `Failure` if the file cannot be read, or a line is not a context.
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
      const results = new Set(subjects.map((subject) => replay(subject, given)))
      if (results.has("other")) affected++
      if (results.has("unknown")) unknown++
    }
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && "syscall" in cause)) throw cause
    throw new Failure(`--contexts: cannot read ${file}: ${cause.code}`, { cause })
  }
  return { file: name, count, affected, unknown, steps: subjects.flatMap(({ steps }) => [...steps.values()]) }
}

async function subjectsOf(before: Side, after: Side, scope: Scope): Promise<readonly Subject[]> {
  const [compilerBefore, compilerAfter] = [createFlagCompiler(), createFlagCompiler()]
  const [known, renamed] = [environmentNames(before), renamedEnvironments(before, after)]
  const shared = environmentNames(after)
    .filter(scope)
    .map((environment) => ({ environment, old: renamed.get(environment) ?? environment }))
    .filter(({ old }) => known.includes(old))
  const subjects: Subject[] = []
  for (const pair of pairFlags(before, after)) {
    if (pair.kind === "added" || pair.kind === "removed") continue
    for (const { environment, old } of shared) {
      if (pair.kind === "kept" && givesTheSame(pair.before, pair.after, old, environment)) continue
      subjects.push({
        flag: pair.after.key,
        environment,
        before: await compilerBefore.compile(timelessEntry(pair.before, old)),
        after: await compilerAfter.compile(timelessEntry(pair.after, environment)),
        steps: new Map(),
      })
    }
  }
  return subjects
}

/** Whether a context gets the same value on both sides, a different one, or one that is not known. */
function replay(subject: Subject, given: LineOfContexts): "same" | "other" | "unknown" {
  const { flag, environment, steps } = subject
  const before = evaluateFlag(subject.before, given.context)
  const after = evaluateFlag(subject.after, given.context)
  if (before.kind !== "evaluated" || after.kind !== "evaluated") return "unknown"
  if (sameValue(before.value, after.value)) return "same"
  const values = canonicalJson([before.value, after.value])
  const known = steps.get(values)
  const step = known ?? { flag, environment, before: before.value, after: after.value, count: 0, first: [] }
  if (known === undefined) steps.set(values, step)
  step.count++
  if (step.first.length < mostShown) step.first.push(given)
  return "other"
}
