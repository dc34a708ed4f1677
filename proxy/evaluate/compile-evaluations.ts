import { hash } from "node:crypto"
import { setImmediate as nextTurn } from "node:timers/promises"
import { flagSetMetadata } from "../../sdk/contract/flag-set.ts"
import type { FlagEntry } from "../../sdk/contract/snapshot.ts"
import { comparisonsIn, parseCondition } from "../../sdk/evaluation/condition.ts"
import { createFlagCompiler } from "../../sdk/evaluation/flag-compiler.ts"
import { numberKind } from "../../sdk/evaluation/number-kind.ts"
import { isStaticFlag } from "../../sdk/evaluation/resolution.ts"
import { type AttributeLimit, lowerLimit } from "./attribute-limits.ts"
import { createEvaluations, type Evaluations } from "./evaluations.ts"
import type { PreparedFlag } from "./prepared-flag.ts"
import { longestOf, workOf } from "./work.ts"

/**
 * Compiles the flags of a snapshot, given as the JSON of their entries and the SHA-256 of the whole, in hex. Works in short turns, so that requests are
 * answered meanwhile: a thread could not pass functions back. Rejects if `signal` is aborted.
 */
export async function compileEvaluations(
  { entries, sha256 }: { entries(): Iterable<Buffer>; readonly sha256: string },
  monotonicNow: () => number,
  signal: AbortSignal | undefined,
): Promise<Evaluations> {
  let end = monotonicNow() + longestTurn
  const pause = async (): Promise<void> => {
    await nextTurn(undefined, signal && { signal })
    end = monotonicNow() + longestTurn
  }
  const pauseInTime = () => (monotonicNow() < end ? undefined : pause())

  const compiler = createFlagCompiler(pauseInTime)
  const flags = new Map<string, PreparedFlag>()
  const limits = new Map<string, AttributeLimit>()
  let configured: FlagEntry | undefined
  for (const bytes of entries()) {
    await pauseInTime()
    const entry: FlagEntry = JSON.parse(bytes.toString())
    if (entry.environment !== null) configured ??= entry
    const compiled = await compiler.compile(entry)
    const rules = entry.environment?.enabled ? entry.environment.rules : []
    const comparisons = rules.flatMap((rule) => comparisonsIn(parseCondition(rule)))
    for (const comparison of comparisons) lowerLimit(limits, comparison)
    flags.set(entry.flag.key, {
      compiled,
      isStatic: isStaticFlag(entry),
      isFloat: numberKind(entry) === "float",
      digest: digestOf(entry),
      work: workOf(comparisons, bytes.length), // an answer is shorter than its flag's entry
      longest: longestOf(comparisons),
    })
  }
  return createEvaluations(flags, limits, flagSetMetadata(configured, sha256))
}

/** Covers everything that decides an answer, but no times, names or descriptions. */
function digestOf({ flag: { key, type, defaultValue }, environment }: FlagEntry): string {
  const configured = environment && [environment.enabled, environment.rules]
  return hash("sha256", JSON.stringify([key, type, defaultValue, configured]), "hex")
}

/** Milliseconds. */
const longestTurn = 5
