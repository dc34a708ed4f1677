import { createHash } from "node:crypto"
import { type FlagSetMetadata, flagSetMetadata } from "../contract/flag-set.ts"
import type { FlagEntry, Json, SnapshotDocument } from "../contract/snapshot.ts"
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
 * Compiles a flag when it is first asked. Values are frozen, because callers share them. `text` is what the document was read
 * from; `undefined`: it was given as an object.
 */
export async function createFlags(document: SnapshotDocument, text: string | undefined): Promise<Flags> {
  const configured = document.flags.find(({ environment }) => environment !== null)
  const metadata = flagSetMetadata(configured, text === undefined ? undefined : sha256Of(text))
  const compiler = createFlagCompiler()
  await compiler.loadFor(document.flags)
  const entryOf = new Map(document.flags.map((entry) => [entry.flag.key, entry]))
  const flags = new Map<string, CompiledFlag>()
  for (const { flag, environment } of document.flags) {
    freeze(flag.defaultValue)
    for (const { returnValue } of environment?.rules ?? []) freeze(returnValue)
  }
  const compile = (entry: FlagEntry): CompiledFlag => {
    const flag = { compiled: compiler.compileLoaded(entry), isStatic: isStaticFlag(entry) }
    flags.set(entry.flag.key, flag)
    return flag
  }
  return {
    document,
    metadata,
    resolve(key, context) {
      const entry = entryOf.get(key)
      if (entry === undefined) return resolutionOf({ kind: "unknownFlag", key }, false)
      const { compiled, isStatic } = flags.get(key) ?? compile(entry)
      return resolutionOf(evaluateFlag(compiled, context), isStatic)
    },
  }
}

interface CompiledFlag {
  readonly compiled: CompiledRules
  readonly isStatic: boolean
}

/** Lower-case hex. */
function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex") // not `hash`, which Deno and Workers may lack
}

/** Throws for a value that is nested too deep to be compared, or copied, later. */
function freeze(value: Json, depth = 0): void {
  if (typeof value !== "object" || value === null) return
  if (depth === deepest) throw new Error(`a value is nested more than ${deepest} deep`)
  for (const member of Object.values(value)) freeze(member, depth + 1)
  Object.freeze(value)
}

const deepest = 1_000
