import { parseMoment } from "../../sdk/evaluation/moment.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import { newRule, type WrittenRule } from "../edit/written-rules.ts"
import { always, type Ramp, type Share } from "../language/condition.ts"
import { type Fields, fieldsOf, rampOf, shareOf } from "../language/written-condition.ts"
import { type Refusal, refused } from "./refusal.ts"

/** The share that a rule should have. */
export interface NewShare {
  /** Of the users who match the rest of the rule: 0 to 100; `undefined`: that of the stage that a ramp has reached. */
  readonly percent: number | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The attribute of the share that is meant; `undefined`: any. */
  readonly by: string | undefined
  /** The rule that is meant, from 1; `undefined`: the only one that has a share, or is for everyone. */
  readonly rule: number | undefined
  /** The attribute of a share that is new; `undefined`: it must be named. */
  readonly newBy: string | undefined
  /** What a rule that is new gives; `undefined`: it must be written by hand. */
  readonly newValue: boolean | undefined
}

/** Rules of which one has a new share. */
export interface ChosenShare {
  readonly kind: "chosen"
  readonly rules: readonly WrittenRule[]
  /** The only field that differs, by its path from the list of rules, and its new value or name and value; absent: more differs. */
  readonly field?: { readonly path: readonly string[]; readonly text: string; readonly isNamed?: true }
}

/** Finds the rule whose share is meant, and gives it the new one, which begins where the old one did. */
export function chooseShare(rules: readonly WrittenRule[], wanted: NewShare): ChosenShare | Refusal {
  const { by, rule: number } = wanted
  if (rules.length === 0 && number === undefined) return onlyShare(wanted)
  if (number !== undefined && number > rules.length)
    return refused(`there is no rule ${number}${howMany(rules)}`)
  const isMeant = (at: number, attribute: unknown) =>
    (number ?? at + 1) === at + 1 && (by ?? attribute) === attribute
  const candidates = rules
    .flatMap(({ fields }, at) => shareIn(fields, at, wanted))
    .filter(({ at, share }) => isMeant(at, share === undefined ? by : share.by))
  const [candidate, another] = candidates
  if (candidate === undefined) {
    const rule = number === undefined ? "no rule has" : `rule ${number} does not have`
    if (wanted.percent === undefined)
      return refused(
        `${rule} a single ramp, alone or in \`all\`: write a share in place of a ramp into the file (that of a segment is in the segment's file), or use --off`,
      )
    const split = rules.findIndex(
      ({ fields: { split } }, at) => split !== undefined && isMeant(at, (split as Fields).by),
    )
    if (split >= 0)
      return refused(`rule ${split + 1} has a split: change its shares in the file, or use --everyone`)
    return refused(
      `${rule} a single share${by === undefined ? "" : ` by ${by}`}, alone or in \`all\`: write it into the file, or use --everyone`,
    )
  }
  if (another !== undefined)
    return refused(
      `rules ${candidates.map(({ at }) => at + 1).join(", ")} have a share: choose one with --rule`,
    )
  return withShare(rules, candidate, wanted)
}

/** The end of the sentence that there is no rule of a number. */
function howMany(rules: readonly WrittenRule[]): string {
  if (rules.length === 0) return ": there are none yet"
  const hasSplit = rules.some(({ fields }) => fields.split !== undefined)
  return `, only ${rules.length}${hasSplit ? ": a split counts as one" : ""}`
}

/** A condition that is a share, or a rule for everyone. */
interface Candidate {
  /** The rule's position. */
  readonly at: number
  /** From the rule to the condition. */
  readonly path: readonly string[]
  readonly fields: Fields
  /** `undefined`: everyone. */
  readonly share: Share | undefined
  /** The ramp of which it is the share; absent: it does not grow. */
  readonly ramp?: Ramp | undefined
}

/** The share of a rule or, to hold it, its ramp, which may stand beside other conditions that must all hold; none if there are several. */
function shareIn(rule: Fields, at: number, { percent }: NewShare): readonly Candidate[] {
  const isHold = percent === undefined
  if (rule.operator === always.operator && !isHold) return [{ at, path: [], fields: rule, share: undefined }]
  const parts = Array.isArray(rule.all)
    ? (rule.all as readonly Fields[]).map((fields, part) => ({ fields, path: ["all", String(part)] }))
    : [{ fields: rule, path: [] }]
  const shares = parts.flatMap(({ fields, path }) => {
    const ramp = rampOf(fields)
    const share = ramp === undefined ? shareOf(fields) : { ...ramp, kind: "share" as const, to: ramp.from }
    return share === undefined || (isHold && ramp === undefined) ? [] : [{ at, path, fields, share, ramp }]
  })
  return shares.length === 1 ? shares : []
}

function withShare(
  rules: readonly WrittenRule[],
  { at, path, fields: written, share, ramp }: Candidate,
  { percent: wanted, newBy, now }: NewShare,
): ChosenShare | Refusal {
  const percent = wanted ?? ramp?.stages.findLast((stage) => (parseMoment(stage.at) ?? now) <= now)?.share
  if (percent === undefined)
    return refused(`no stage of rule ${at + 1} has begun: use --off, or write another ramp into the file`)
  const by = share?.by ?? newBy
  if (by === undefined) return refused(nameTheAttribute)
  const { from, seed, text } = share ?? { from: 0, seed: undefined, text: undefined }
  const to = Number((from + percent).toFixed(3))
  if (to > 100)
    return refused(`the share of rule ${at + 1} begins at ${from} %, so it cannot be ${percent} %`)
  const changed = {
    kind: "share",
    by,
    from,
    to,
    seed,
    ...(text !== undefined && { text: String(to) }),
  } as const
  const { operator: _, ramp: __, ...others } = written
  const isReplaced = share === undefined || ramp !== undefined
  const condition = isReplaced ? { ...fieldsOf(changed), ...others } : { ...written, ...fieldsOf(changed) }
  const replaced = rules.map((rule, index) =>
    index === at ? newRule(inRule(rule.fields, path, condition), rule) : rule,
  )
  if (ramp !== undefined) {
    const text = yamlLine(fieldsOf(changed)).slice(2, -2) // without the braces
    const field = { path: [String(at), ...path, "ramp"], text, isNamed: true } as const
    return { kind: "chosen", rules: replaced, field }
  }
  if (isReplaced) return { kind: "chosen", rules: replaced }
  const number = [String(at), ...path, ...(text === undefined ? ["share", "to"] : ["value"])]
  return {
    kind: "chosen",
    rules: replaced,
    field: { path: number, text: text === undefined ? String(to) : `"${to}"` },
  }
}

/** The rule with another condition in place of one of its parts. */
function inRule(rule: Fields, [, part]: readonly string[], condition: Fields): Fields {
  if (part === undefined) return condition
  return {
    ...rule,
    all: (rule.all as readonly Fields[]).map((fields, at) => (String(at) === part ? condition : fields)),
  }
}

/** The only rule of a configuration that has none yet. */
function onlyShare({ percent, newBy, newValue }: NewShare): ChosenShare | Refusal {
  if (percent === undefined) return refused("there is no rule yet, and no ramp")
  if (newValue === undefined)
    return refused("there is no rule yet: write it into the file, or use --everyone")
  if (newBy === undefined) return refused(nameTheAttribute)
  const share = fieldsOf({ kind: "share", by: newBy, from: 0, to: percent, seed: undefined })
  const rule = newRule({ ...share, returnValue: newValue }, { comments: [], start: 0 })
  return { kind: "chosen", rules: [rule] }
}

const nameTheAttribute = "name the attribute that picks the users with --by"
