import { createHash } from "node:crypto"
import { type FlagSetMetadata, flagSetMetadata } from "../contract/flag-set.ts"
import type { Json, SnapshotDocument } from "../contract/snapshot.ts"
import { type CompiledRules, evaluateFlag } from "../evaluation/compile-flag.ts"
import type { Context } from "../evaluation/evaluation.ts"
import { createFlagCompiler } from "../evaluation/flag-compiler.ts"
import { isStaticFlag, type Resolution, resolutionOf } from "../evaluation/resolution.ts"

/** The flags of one document, ready to be evaluated. */
export interface Flags {
  readonly document: SnapshotDocument
  readonly metadata: FlagSetMetadata
  resolve(key: string, context: Context): Resolution
}

/**
 * Compiles in short turns, so that the application can do other work meanwhile. Values are frozen, because callers
 * share them. `text` is what the document was read from; `undefined`: it was given as an object.
 */
export async function createFlags(
  document: SnapshotDocument,
  text: string | undefined,
  breathe: () => Promise<void>,
): Promise<Flags> {
  const configured = document.flags.find(({ environment }) => environment !== null)
  const metadata = flagSetMetadata(configured, text === undefined ? undefined : sha256Of(text))
  const compiler = createFlagCompiler()
  const flags = new Map<string, { readonly compiled: CompiledRules; readonly isStatic: boolean }>()
  for (const [index, entry] of document.flags.entries()) {
    if (index % flagsOfTurn === flagsOfTurn - 1) await breathe()
    freeze(entry.flag.defaultValue)
    for (const { returnValue } of entry.environment?.rules ?? []) freeze(returnValue)
    flags.set(entry.flag.key, { compiled: await compiler.compile(entry), isStatic: isStaticFlag(entry) })
  }
  return {
    document,
    metadata,
    resolve(key, context) {
      const flag = flags.get(key)
      return flag === undefined
        ? resolutionOf({ kind: "unknownFlag", key }, false)
        : resolutionOf(evaluateFlag(flag.compiled, context), flag.isStatic)
    },
  }
}

/** Lower-case hex. */
function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex") // not `hash`, which Deno and Workers may lack
}

/** About 0.5 ms. */
const flagsOfTurn = 100

function freeze(value: Json): void {
  if (typeof value !== "object" || value === null) return
  for (const member of Object.values(value)) freeze(member)
  Object.freeze(value)
}
