import type { Rule } from "../../../proxy/contract/snapshot.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import type { FlagPair } from "../../diff/sides/pair-flags.ts"
import type { SaidChange } from "./catalog-history.ts"
import { type Content, contentText, readContent, valueText } from "./content.ts"
import { type KeptVersion, restorePair, restoreVersion } from "./kept-version.ts"
import { formOf, type RulesEdit, type RulesForm, type StandIns, standInsFor } from "./stand-ins.ts"

/** An edit or a new flag, in a form that many flags may share: what is said of them differs by the key alone. */
export interface FlagEdit {
  /** Equal for edits that are alike. */
  readonly name: string
  /** Gives what is compared for all that are alike. */
  readonly pair: () => FlagPair
  /** The rules on both sides, which may depend on the flag's key. */
  readonly rules: () => readonly Rule[]
  /** What is said of this edit, from what is said of the compared one. */
  readonly restore: (said: SaidChange) => SaidChange
}

/** Makes the function that reads edits; `undefined` for one that no other flag can share. It reads each content once. */
export function createEditReader(): (
  before: KeptVersion | undefined,
  after: KeptVersion,
) => FlagEdit | undefined {
  const contents = new Map<string, ReadContent>()
  const read: Read = (text) => {
    const known = contents.get(text)
    if (known !== undefined) return known
    const content = readContent(text)
    const own = { ...content, text, form: formOf(content.rules) }
    contents.set(text, own)
    return own
  }
  return (before, after) => {
    if (after.inSegments !== undefined || before?.inSegments !== undefined) return undefined
    return before === undefined ? editOfNew(after, read) : editOfRules(before, after, read)
  }
}

interface ReadContent extends Content {
  readonly text: string
  readonly form: RulesForm | undefined
}

/** An environment that is edited, or in which a new flag is configured: there, both sides are what it has from now on. */
interface EditedContent {
  readonly environment: string
  readonly before: ReadContent
  readonly after: ReadContent
}

type Read = (text: string) => ReadContent

function editOfNew(after: KeptVersion, read: Read): FlagEdit {
  const contents = [...after.configurations].map(([environment, configuration]): EditedContent => {
    const content = read(contentText(configuration))
    return { environment, before: content, after: content }
  })
  return editOf("added", after, contents, (restore) => ({
    kind: "added",
    after: restore(restoreVersion(after), "after"),
  }))
}

/** Of versions that differ in the rules of some environments, and in nothing else; `undefined` for any others. */
function editOfRules(before: KeptVersion, after: KeptVersion, read: Read): FlagEdit | undefined {
  if (before.flag !== after.flag || before.people !== after.people) return undefined
  if (before.configurations.size !== after.configurations.size) return undefined
  const edited: EditedContent[] = []
  for (const [environment, one] of before.configurations) {
    const other = after.configurations.get(environment)
    if (other === undefined) return undefined
    if (one === other) continue
    const [text, newText] = [contentText(one), contentText(other)]
    if (one.slice(0, -text.length) !== other.slice(0, -newText.length)) return undefined // the ids differ
    edited.push({ environment, before: read(text), after: read(newText) })
  }
  return editOf("kept", before, edited, (restore) => {
    const pair = restorePair(before, after)
    return { kind: "kept", before: restore(pair.before, "before"), after: restore(pair.after, "after") }
  })
}

function editOf(
  kind: "added" | "kept",
  version: KeptVersion,
  edited: readonly EditedContent[],
  pairOf: (replace: (flag: ResolvedFlag, side: keyof RulesEdit) => ResolvedFlag) => FlagPair,
): FlagEdit {
  const environments = edited.map(({ environment }) => environment)
  const value = valueText(version)
  const standIns = standInsFor(
    edited.map(({ before, after }) => ({ before: before.form, after: after.form })),
    JSON.stringify([value, environments]),
  )
  const nameOf = ({ text, enabled, form }: ReadContent) =>
    standIns === undefined ? text : [enabled, form?.text]
  const replaced = (): readonly RulesEdit[] =>
    standIns?.replaced() ?? edited.map(({ before, after }) => ({ before: before.rules, after: after.rules }))
  return {
    name: JSON.stringify([
      ...[kind, value, environments, standIns?.order],
      ...edited.map(({ before, after }) => [nameOf(before), nameOf(after)]),
    ]),
    pair() {
      const rules = replaced()
      return pairOf((flag, side) =>
        withRules(
          flag,
          environments,
          rules.map((own) => own[side]),
        ),
      )
    },
    rules: () =>
      replaced().flatMap(({ before, after }, at) => {
        if (kind === "kept") return [...before, ...after]
        return edited[at]?.after.enabled ? after : []
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
