import type { Rule } from "../../../proxy/contract/snapshot.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import type { FlagPair } from "../../diff/sides/pair-flags.ts"
import { restorePair, restoreVersion } from "../versions/kept-version.ts"
import type { SaidChange } from "./catalog-history.ts"
import type { FlagEdit } from "./flag-edit.ts"
import { type RulesEdit, type StandIns, standInsFor } from "./stand-ins.ts"

/** What is compared for all edits that are alike: with stand-ins for their percentages, where it can have some. */
export interface SharedEdit {
  /** Equal for edits that are alike. */
  readonly name: string
  readonly pair: () => FlagPair
  /** Those of the edit; `undefined`: all, because the flag is new. */
  readonly environments: readonly string[] | undefined
  /** The rules on both sides, which may depend on the flag's key. */
  readonly rules: () => readonly Rule[]
  /** What is said of an edit itself, from what is said of the compared one. */
  readonly restore: (said: SaidChange) => SaidChange
}

export function shareEdit({ name, formName, value, before, after, contents }: FlagEdit): SharedEdit {
  const environments = contents.map(({ environment }) => environment)
  const standIns = standInsFor(
    contents.map((own) => ({ before: own.before.form, after: own.after.form })),
    [value, ...environments],
  )
  const replaced = (): readonly RulesEdit[] =>
    standIns?.replaced() ?? contents.map((own) => ({ before: own.before.rules, after: own.after.rules }))
  return {
    name: standIns === undefined ? name : `${formName} ${standIns.order}`,
    environments: before === undefined ? undefined : environments,
    pair() {
      const rules = replaced()
      const replace = (flag: ResolvedFlag, side: keyof RulesEdit) =>
        withRules(
          flag,
          environments,
          rules.map((own) => own[side]),
        )
      if (before === undefined) return { kind: "added", after: replace(restoreVersion(after), "after") }
      const { flag, people } = after // what changed there is said apart from it
      const pair = restorePair({ ...before, flag, people }, after, environments)
      return { kind: "kept", before: replace(pair.before, "before"), after: replace(pair.after, "after") }
    },
    rules: () =>
      replaced().flatMap((own, at) => {
        if (before !== undefined) return [...own.before, ...own.after]
        return contents[at]?.after.enabled ? own.after : []
      }),
    restore: (said) => (standIns === undefined ? said : restored(said, standIns)),
  }
}

function withRules(
  flag: ResolvedFlag,
  environments: readonly string[],
  rules: readonly (readonly Rule[])[],
): ResolvedFlag {
  const configurations = new Map(flag.configurations)
  for (const [at, environment] of environments.entries()) {
    const configuration = configurations.get(environment)
    if (configuration !== undefined)
      configurations.set(environment, { ...configuration, rules: rules[at] ?? [] })
  }
  return { ...flag, configurations }
}

function restored({ what, who, ...said }: SaidChange, { restore }: StandIns): SaidChange {
  return {
    ...said,
    what: restore(what),
    who: who.map(({ sentence, ...one }) => ({ ...one, sentence: restore(sentence) })),
  }
}
