import { type Phrase, phrase } from "../diagnostics/phrase.ts"
import { sameValue } from "../language/canonical-json.ts"
import { mapLeaves, never, visit } from "../language/condition.ts"
import { flagKeyPattern } from "../language/names.ts"
import { type Configuration, type Guard, type ImportedFlag, neverMet, type Remark } from "./form/form.ts"
import { collectLosses, isWritable, type Loss, verdictOf } from "./form/losses.ts"
import { type Node, placeOf } from "./form/tree.ts"
import { createOmissions } from "./omit-rules.ts"
import { defaultOf, valuesOf } from "./write-flag.ts"

/** How many flags can depend on each other in a chain. Longer ones nest conditions too deeply. */
const longestChain = 20

/** The flags as they can be written, each after those that it depends on. `accepted`: codes of losses. */
export function prepareFlags(
  flags: readonly ImportedFlag[],
  accepted: readonly string[],
  remarks: Remark[],
): readonly ImportedFlag[] {
  const { withoutLost, withOff, withoutShadowed, withoutIdle } = createOmissions(accepted, remarks)
  const byKey = new Map(flags.map((flag) => [flag.key, flag]))
  const begun = new Set<string>()
  const prepared = new Map<string, ImportedFlag>()

  /** `undefined`: it is being prepared, or the chain is too long. */
  function prepare(flag: ImportedFlag): ImportedFlag | undefined {
    if (prepared.has(flag.key) || begun.has(flag.key) || begun.size > longestChain)
      return prepared.get(flag.key)
    begun.add(flag.key)
    const off = defaultOf(flag)
    const done = withoutIdle({
      ...flag,
      configurations: flag.configurations.map((one) => {
        const kept = withoutLost(flag.key, withFlags(flag, one))
        return withoutShadowed(flag.key, named(flag, withOff(flag.key, off, kept)))
      }),
    })
    begun.delete(flag.key)
    prepared.set(flag.key, done)
    return done
  }

  function withFlags({ key }: ImportedFlag, one: Configuration): Configuration {
    if (flagsAsked(one).length === 0) return one
    const { losses, addLoss } = collectLosses(one.losses)
    const guards = one.guards.map(({ when, ...guard }) => ({
      ...guard,
      when: mapLeaves(when, (use) => {
        const asked = use.kind === "flag" ? byKey.get(use.key) : undefined
        if (use.kind !== "flag" || asked === undefined) return use
        const parent = prepare(asked)
        if (parent === undefined) addLoss("import-prerequisite", guard.node, inCircle(use.key))
        else if (!isOpen(parent, accepted)) addLoss("import-prerequisite", guard.node, notImported(use.key))
        else if (!valuesOf(parent).some((value) => sameValue(value, use.is))) {
          remarks.push(neverMet(guard.node, key, use.key, one.environment))
          return never
        } else if (isRebucketed(parent, one.environment))
          addLoss("import-share-rebucketed", guard.node, phrase`a share of ${use.key}, on which it depends`)
        return use
      }),
    }))
    return { ...one, guards, losses }
  }

  for (const flag of flags) prepare(flag)
  return [...prepared.values()]
}

function named({ key }: ImportedFlag, one: Configuration): Configuration {
  if (flagKeyPattern.test(key)) return one
  const { losses, addLoss } = collectLosses(one.losses)
  addLoss(
    "import-name",
    one.node,
    phrase`a flag key has 1 to 200 letters, digits, ${"."}, ${"_"}, ${"/"} and ${"-"}, and starts with a letter or digit`,
  )
  return { ...one, losses }
}

/** The flags that a configuration depends on, and where. */
export function flagsAsked({
  guards,
}: Configuration): readonly { readonly key: string; readonly node: Node }[] {
  return guards.flatMap(({ when, node }) =>
    [...visit(when)].flatMap((part) => (part.kind === "flag" ? { key: part.key, node } : [])),
  )
}

/** Whether the flag can be written with the losses that are accepted. */
export function isOpen({ configurations }: ImportedFlag, accepted: readonly string[]): boolean {
  return configurations.every(({ losses }) => isWritable(verdictOf(losses, accepted)))
}

function isRebucketed({ configurations }: ImportedFlag, environment: string): boolean {
  const own = configurations.filter((one) => one.environment === environment)
  return own.flatMap(writtenLosses).some(({ code }) => code === "import-share-rebucketed")
}

/** The losses without those of shares in rules that are left out. */
export function writtenLosses({ guards, losses }: Configuration): readonly Loss[] {
  const bucketing = guards.filter(isBucketing).map(({ node }) => `${placeOf(node).pointer}/`)
  return losses.filter(
    ({ code, place }) =>
      code !== "import-share-rebucketed" ||
      bucketing.some((pointer) => `${place.pointer}/`.startsWith(pointer)),
  )
}

/** Whether the rule has shares, or a segment or flag that may have some. */
function isBucketing({ when, gives }: Guard): boolean {
  return gives.kind === "split" || [...visit(when)].some(({ kind }) => /^(?:share|segment|flag)$/.test(kind))
}

/** The loss of a flag that depends on one that is not written. */
export function notImported(prerequisite: string): Phrase {
  return phrase`it depends on ${prerequisite}, which cannot be imported`
}

function inCircle(prerequisite: string): Phrase {
  return phrase`through ${prerequisite}, it depends on itself or on a chain of more than ${longestChain} flags`
}
