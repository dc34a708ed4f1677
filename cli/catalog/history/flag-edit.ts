import type { Rule } from "../../../proxy/contract/snapshot.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import { toValue } from "../../compile/yaml/tree.ts"
import type { FlagPair } from "../../diff/sides/pair-flags.ts"
import type { SaidChange } from "./catalog-history.ts"
import { contentOf } from "./effects-of-new.ts"
import { type RulesEdit, type StandIns, standInsFor } from "./stand-ins.ts"

/** An edit or a new flag, in a form that many flags may share: what is said of them differs by the key alone. */
export interface FlagEdit {
  /** Equal for edits that are alike. */
  readonly name: string
  /** Of the flag after the edit. */
  readonly key: string
  /** Gives what is compared for all that are alike. */
  readonly pair: () => FlagPair
  /** The rules on both sides, which may depend on the flag's key. */
  readonly rules: readonly Rule[]
  /** What is said of this edit, from what is said of the compared one. */
  readonly restore: (said: SaidChange) => SaidChange
}

type Compared = Exclude<FlagPair, { readonly kind: "removed" }>

/** Makes the function that reads edits; `undefined` for one that no other flag can share. It writes each version once. */
export function createEditReader(): (pair: Compared) => FlagEdit | undefined {
  const texts = new WeakMap<object, string>()
  const textOf = (part: object, read: () => unknown = () => part): string => {
    const known = texts.get(part)
    if (known !== undefined) return known
    const text = JSON.stringify(read())
    texts.set(part, text)
    return text
  }
  const peopleOf = ({ definition: { root } }: ResolvedFlag) =>
    textOf(root, () => root.members.map(({ name, value }) => [name, toValue(value)]))
  const haveSame = (one: ResolvedFlag, other: ResolvedFlag) =>
    textOf(one.flag) === textOf(other.flag) && peopleOf(one) === peopleOf(other)
  return (pair) => {
    if (pair.after.open !== undefined) return undefined
    if (pair.kind === "added") return editOfNew(pair.after)
    if (pair.kind === "renamed" || pair.before.open !== undefined) return undefined
    return haveSame(pair.before, pair.after) ? editOfRules(pair, textOf) : undefined
  }
}

function editOfNew(after: ResolvedFlag): FlagEdit {
  const { flag, configurations } = after
  const own = [...configurations].map(
    ([environment, { enabled, rules }]) => [environment, enabled ? rules : []] as const,
  )
  const what = own.map(([environment, rules]) => [environment, ...rules.map(contentOf)])
  return {
    name: JSON.stringify(["added", flag.defaultValue, what]),
    key: flag.key,
    pair: () => ({ kind: "added", after }),
    rules: own.flatMap(([, rules]) => rules),
    restore: (said) => said,
  }
}

/** Of versions that differ in the rules of some environments, and in nothing else; `undefined` for any others. */
function editOfRules(
  { before, after }: Extract<FlagPair, { readonly kind: "kept" | "renamed" }>,
  textOf: (part: object) => string,
): FlagEdit | undefined {
  const edited: (readonly [environment: string, enabled: readonly boolean[], rules: RulesEdit])[] = []
  for (const environment of new Set([...before.configurations.keys(), ...after.configurations.keys()])) {
    const [one, other] = [before.configurations.get(environment), after.configurations.get(environment)]
    if (one === undefined || other === undefined) return undefined
    if (textOf(one) === textOf(other)) continue
    if (one.id !== other.id || one.environmentId !== other.environmentId) return undefined
    edited.push([environment, [one.enabled, other.enabled], { before: one.rules, after: other.rules }])
  }
  const standIns = standInsFor(
    edited.map(([, , rules]) => rules),
    [before.flag.defaultValue, ...edited.map(([environment]) => environment)],
  )
  const replaced = edited.map(([environment, enabled, rules]) => {
    return [environment, enabled, standIns?.replace(rules) ?? rules] as const
  })
  return {
    name: JSON.stringify(["kept", before.flag.defaultValue, replaced]),
    key: after.flag.key,
    pair: () => ({
      kind: "kept",
      before: withRules(
        before,
        new Map(replaced.map(([environment, , rules]) => [environment, rules.before])),
      ),
      after: withRules(after, new Map(replaced.map(([environment, , rules]) => [environment, rules.after]))),
    }),
    rules: replaced.flatMap(([, , rules]) => [...rules.before, ...rules.after]),
    restore: (said) => (standIns === undefined ? said : restored(said, standIns)),
  }
}

function withRules(flag: ResolvedFlag, byEnvironment: ReadonlyMap<string, readonly Rule[]>): ResolvedFlag {
  const configurations = [...flag.configurations].map(([environment, configuration]) => {
    const rules = byEnvironment.get(environment)
    return [environment, rules === undefined ? configuration : { ...configuration, rules }] as const
  })
  return { ...flag, configurations: new Map(configurations) }
}

function restored({ what, who, ...said }: SaidChange, { restore }: StandIns): SaidChange {
  return {
    ...said,
    what: restore(what),
    who: who.map(({ sentence, ...one }) => ({ ...one, sentence: restore(sentence) })),
  }
}
