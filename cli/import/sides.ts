import type { FlagEntry, Json } from "../../sdk/contract/snapshot.ts"
import { type CompiledRules, evaluateFlag } from "../../sdk/evaluation/compile-flag.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { createShares } from "../../sdk/evaluation/share.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import type { Bucket, Configuration } from "./form/form.ts"

/** How many contexts were tried, and for how many the values differ. */
export interface Tally {
  contexts: number
  differing: number
  /** Configurations with shares, and those of them whose shares were compared with ids. */
  withShares: number
  sharesCompared: number
}

/** Whether the flag is off and has rules. */
export function hasIdleRules({ enabled, guards }: Configuration): boolean {
  return !enabled && guards.length > 0
}

/** The entry switched on if the flag is off and has rules, because its rules are proved too. */
export function asSwitchedOn(entry: FlagEntry, configuration: Configuration): FlagEntry {
  if (!hasIdleRules(configuration) || entry.environment === null) return entry
  return { ...entry, environment: { ...entry.environment, enabled: true } }
}

/** Both sides' values, as canonical JSON. The caller's default counts as ours, because that was accepted. */
export interface Sides {
  readonly ourHash: Bucket
  /**
   * On both sides, a flag that is off and has rules is evaluated as if it were on. Both have the same users in a share, unless
   * a different hash is given.
   */
  readonly theirs: (context: Context, hash?: Bucket) => string | undefined
  readonly ours: (context: Context) => string
  /** The other tool's value in the flag's actual state. */
  readonly off: (context: Context) => string | undefined
  readonly default: string
}

export function createSides(
  configuration: Configuration,
  { flag }: FlagEntry,
  rules: CompiledRules,
  read: Set<string>,
): Sides {
  const shareOf = createShares()
  const ourHash: Bucket = (seed, text) => shareOf(seed)(text) / 2 ** 32
  const ask = (context: Context, hash: Bucket, isOn?: boolean) => {
    const attributes = (name: string) => {
      read.add(name)
      return Object.hasOwn(context, name) ? (context[name] ?? undefined) : undefined
    }
    const outcome = configuration.meaning(attributes, hash, isOn)
    return outcome && canonicalText(outcome.kind === "caller" ? flag.defaultValue : outcome.value)
  }
  return {
    ourHash,
    theirs: (context, hash = ourHash) => ask(context, hash, hasIdleRules(configuration) || undefined),
    ours(context) {
      const found = evaluateFlag(rules, context)
      return found.kind === "evaluated" ? canonicalText(found.value) : found.kind
    },
    off: (context) => ask(context, ourHash),
    default: canonicalText(flag.defaultValue),
  }
}

function canonicalText(value: Json): string {
  return typeof value === "object" ? canonicalJson(value) : JSON.stringify(value)
}
