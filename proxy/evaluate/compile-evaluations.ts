import { setImmediate as nextTurn } from "node:timers/promises"
import { createFlagCompiler } from "../../sdk/evaluation/flag-compiler.ts"
import { numberKind } from "../../sdk/evaluation/number-kind.ts"
import { isStaticFlag } from "../../sdk/evaluation/resolution.ts"
import type { FlagEntry } from "../contract/snapshot.ts"
import { createEvaluations, type Evaluations, type PreparedFlag } from "./evaluations.ts"

/**
 * Compiles the flags of a snapshot, given as the JSON of their entries. In turns, so that requests are answered meanwhile:
 * another thread could not hand over functions. Rejects when `signal` is aborted.
 */
export async function compileEvaluations(
  entries: Iterable<Buffer>,
  signal: AbortSignal | undefined,
): Promise<Evaluations> {
  const compiler = createFlagCompiler()
  const flags = new Map<string, PreparedFlag>()
  let inTurn = 0
  for (const bytes of entries) {
    inTurn += bytes.length
    if (inTurn > bytesOfTurn) {
      inTurn = 0
      await nextTurn(undefined, signal && { signal })
    }
    const entry: FlagEntry = JSON.parse(bytes.toString())
    const compiled = await compiler.compile(entry)
    flags.set(entry.flag.key, {
      compiled,
      isStatic: isStaticFlag(entry),
      isFloat: numberKind(entry) === "float",
    })
  }
  return createEvaluations(flags)
}

/** They take some 0.3 ms. */
const bytesOfTurn = 16 * 1024
