import type { Json } from "../../sdk/contract/snapshot.ts"
import { flagKeyPattern } from "../compile/grammar/names.ts"
import { sameValue } from "../compile/meaning/canonical-json.ts"
import { isAlways, isNever, mapLeaves, never, visit } from "../language/condition.ts"
import { type Phrase, phrase } from "../phrases/phrase.ts"
import { type Configuration, type Guard, type ImportedFlag, neverMet, type Remark } from "./form/form.ts"
import { collectLosses, isWritable, type Loss, verdictOf } from "./form/losses.ts"
import { type Node, placeOf } from "./form/tree.ts"
import { defaultOf, valuesOf } from "./write-flag.ts"

/** How many flags can depend on each other in a chain. Longer ones nest conditions too deeply. */
const longestChain = 20

/** The flags as they can be written, each after those that it depends on. `accepted`: codes of losses. */
export function prepareFlags(
  flags: readonly ImportedFlag[],
  accepted: readonly string[],
  remarks: Remark[],
): readonly ImportedFlag[] {
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
        } else if (isRedealt(parent, one.environment))
          addLoss("import-share-redealt", guard.node, phrase`a share of ${use.key}, on which it depends`)
        return use
      }),
    }))
    return { ...one, guards, losses }
  }

  /**
   * A configuration that is off keeps its rules for the day it is switched on. Rules that cannot be expressed are left out,
   * because no one gets their values today.
   */
  function withoutLost(key: string, one: Configuration): Configuration {
    const { node, environment, losses, enabled, otherwise } = one
    const ofDefault = losses.filter(({ code }) => code === "import-caller-default")
    const others = losses.filter(({ code }) => code !== "import-caller-default")
    if (enabled || isWritable(verdictOf(others, accepted))) return one
    const text = "it is off, and its rules are left out: they cannot be expressed or need an answer"
    remarks.push({ node, flag: key, environment, text })
    return { ...one, guards: [], losses: otherwise.kind === "caller" ? ofDefault : [] }
  }

  /** A flag has one default. An environment with a different off value gets a rule for it. */
  function withOff(key: string, usual: Json, one: Configuration): Configuration {
    const { node, environment, enabled, otherwise, guards, meaning } = one
    if (enabled || otherwise.kind === "caller" || sameValue(otherwise.value, usual)) return one
    if (guards.length > 0) {
      const text = "it is off, and its rules are left out: its off value differs between environments"
      const detail = phrase`${JSON.stringify(otherwise.value)} instead of ${JSON.stringify(usual)}`
      remarks.push({ node, flag: key, environment, text, detail })
    }
    return { ...one, enabled: true, guards: [], meaning: (from, bucket) => meaning(from, bucket, false) }
  }

  /** Leaves out rules that match no one, and those after a rule that matches everyone. */
  function withoutShadowed(key: string, all: Configuration): Configuration {
    for (const guard of all.guards.filter(({ when }) => isNever(when))) {
      const { pointer } = placeOf(guard.node)
      const isLost = all.losses.some(({ place }) => place.pointer.startsWith(pointer))
      if (!isLost) leaveOut(key, all, guard, "a rule that matches no one is left out")
    }
    const one = { ...all, guards: all.guards.filter(({ when }) => !isNever(when)) }
    const at = one.guards.findIndex(({ when, gives }) => isAlways(when) && gives.kind !== "split")
    const last = one.guards[at]
    if (last === undefined || last.gives.kind === "split") return one
    for (const guard of one.guards.slice(at + 1))
      leaveOut(key, all, guard, "a rule after one that matches everyone is left out")
    return one.enabled
      ? { ...one, guards: one.guards.slice(0, at), otherwise: last.gives }
      : { ...one, guards: one.guards.slice(0, at + 1) }
  }

  /** Leaves out trailing rules that return what everyone else gets, unless the whole configuration returns the default. */
  function withoutIdle(flag: ImportedFlag): ImportedFlag {
    const usual = defaultOf(flag)
    const configurations = flag.configurations.map((one) => {
      const { enabled, guards, otherwise } = one
      const isUsual = [otherwise, ...guards.map(({ gives }) => gives)].every((gives) => isSame(gives, usual))
      if (!enabled || isUsual || otherwise.kind === "caller") return one
      const { value } = otherwise
      const end = 1 + guards.findLastIndex(({ gives }) => !isSame(gives, value))
      for (const guard of guards.slice(end))
        leaveOut(flag.key, one, guard, "a rule that changes nothing is left out")
      return { ...one, guards: guards.slice(0, end) }
    })
    return { ...flag, configurations }
  }

  function leaveOut(flag: string, one: Configuration, { node, isImplied }: Guard, text: string): void {
    const { environment, losses } = one
    if (isWritable(verdictOf(losses, accepted)) && isImplied !== true)
      remarks.push({ node, flag, environment, text })
  }

  for (const flag of flags) prepare(flag)
  return [...prepared.values()]
}

function isSame(gives: Guard["gives"], value: Json): boolean {
  return gives.kind === "value" && sameValue(gives.value, value)
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

function isRedealt({ configurations }: ImportedFlag, environment: string): boolean {
  const own = configurations.filter((one) => one.environment === environment)
  return own.flatMap(writtenLosses).some(({ code }) => code === "import-share-redealt")
}

/** The losses without those of shares in rules that are left out. */
export function writtenLosses({ guards, losses }: Configuration): readonly Loss[] {
  const dealing = guards.filter(isDealing).map(({ node }) => `${placeOf(node).pointer}/`)
  return losses.filter(
    ({ code, place }) =>
      code !== "import-share-redealt" || dealing.some((pointer) => `${place.pointer}/`.startsWith(pointer)),
  )
}

/** Whether the rule has shares, or a segment or flag that may have some. */
function isDealing({ when, gives }: Guard): boolean {
  return gives.kind === "split" || [...visit(when)].some(({ kind }) => /^(?:share|segment|flag)$/.test(kind))
}

/** The loss of a flag that depends on one that is not written. */
export function notImported(prerequisite: string): Phrase {
  return phrase`it depends on ${prerequisite}, which cannot be imported`
}

function inCircle(prerequisite: string): Phrase {
  return phrase`through ${prerequisite}, it depends on itself or on a chain of more than ${longestChain} flags`
}
