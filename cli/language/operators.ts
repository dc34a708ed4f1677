import { nameIgnoringCase, type OperatorName, operatorsOnWire } from "../../sdk/evaluation/operators.ts"
import { type Asked, asks, bound, part, type Question } from "./question.ts"

// The operators, one row each: how authors write them, and what Flagstone does with them besides evaluating.
// sdk/evaluation/operators.ts has how SDKs read an operand, and what matches.

/** What an operator compares with: the form that a rule's `value` must have. */
export type Operand = "nothing" | "text" | "list" | "expression" | "number" | "version" | "date" | "percent"

/** The types that an attribute can be declared with. */
export const attributeTypes = ["text", "number", "boolean", "version", "moment", "list"] as const

export type AttributeType = (typeof attributeTypes)[number]

interface CommonRow {
  readonly question: Question
  /** The operator that it negates: it matches who has the attribute and does not match that one. */
  readonly negates?: OperatorName
}

/** An operator that files have as `operator`. */
interface WrittenRow extends CommonRow {
  readonly operand: Operand
  /** The types of attributes that it works on. */
  readonly types: readonly AttributeType[]
  /** For completion and hover: a summary of docs/flag-files.md. */
  readonly summary: string
  /** What other tools call it, in lower case without `_`, `-`, blanks and the `s` of a verb. */
  readonly synonyms: readonly string[]
  /** Whether editors offer it as an example. */
  readonly isExample?: true
}

/** An operator that files write in a different way. */
interface SentRow extends CommonRow {
  readonly operand?: never
}

const values = ["text", "number", "boolean", "version", "list"] as const
const texts = ["text", "list"] as const

const isText = { kind: "texts", isList: false, verbs: ["is", "is not"] } as const
const isOneOf = { kind: "texts", isList: true, verbs: ["is one of", "is not one of"] } as const
const hasPart = part("inside", ["contains", "does not contain"], "")
const isFound = { kind: "expression", verbs: ["matches", "does not match"], butNot: "" } as const

const rows = {
  equals: {
    question: isText,
    operand: "text",
    types: values,
    summary: "The attribute is exactly `value`.",
    synonyms: ["=", "==", "===", "eq", "is", "equal", "equalto"],
  },
  notEquals: {
    question: isText,
    negates: "equals",
    operand: "text",
    types: values,
    summary: "The attribute is present and is not `value`.",
    synonyms: ["!=", "!==", "<>", "ne", "neq", "isnot", "notequalto"],
  },
  contains: {
    question: hasPart,
    operand: "text",
    types: texts,
    summary: "The attribute contains `value`.",
    synonyms: ["include", "substring"],
  },
  notContains: {
    question: hasPart,
    negates: "contains",
    operand: "text",
    types: texts,
    summary: "The attribute is present and does not contain `value`.",
    synonyms: ["notinclude"],
  },
  startsWith: {
    question: part("start", ["starts with", "does not start with"], "with "),
    operand: "text",
    types: texts,
    summary: "The attribute starts with `value`.",
    synonyms: ["prefix", "hasprefix", "beginwith"],
  },
  endsWith: {
    question: part("end", ["ends with", "does not end with"], "with "),
    operand: "text",
    types: texts,
    summary: 'The attribute ends with `value`, such as `"@example.com"`.',
    synonyms: ["suffix", "hassuffix"],
    isExample: true,
  },
  matches: {
    question: isFound,
    operand: "expression",
    types: texts,
    summary:
      "The regular expression `value`, in RE2's syntax, matches part of the attribute; `^` and `$` anchor it to the ends, and `(?i)` at its start ignores case.",
    synonyms: ["match", "regex", "regexp", "matchesregex", "~", "=~"],
  },
  notMatches: {
    question: isFound,
    negates: "matches",
    operand: "expression",
    types: texts,
    summary: "The attribute is present and the regular expression `value` matches no part of it.",
    synonyms: ["notmatch", "notregex", "notmatchesregex", "!~"],
  },
  in: {
    question: isOneOf,
    operand: "list",
    types: values,
    summary: "The attribute is one of the strings in the list `value`, such as `[DE, FR]`.",
    synonyms: ["oneof", "anyof", "inlist"],
    isExample: true,
  },
  notIn: {
    question: isOneOf,
    negates: "in",
    operand: "list",
    types: values,
    summary: "The attribute is present and is none of the strings in the list `value`.",
    synonyms: ["nin", "noneof", "notoneof", "notanyof", "notinlist"],
  },
  greaterThan: {
    question: bound("number", false, false),
    operand: "number",
    types: ["number"],
    summary: 'The attribute is a number greater than `value`, a decimal number such as `"10"`.',
    synonyms: [">", "gt"],
  },
  greaterThanOrEquals: {
    question: bound("number", false, true),
    operand: "number",
    types: ["number"],
    summary: "The attribute is a number, `value` or greater.",
    synonyms: [">=", "gte", "ge", "greaterorequal", "greaterthanorequalto", "atleast", "min", "notlessthan"],
  },
  lessThan: {
    question: bound("number", true, false),
    operand: "number",
    types: ["number"],
    summary: 'The attribute is a number less than `value`, a decimal number such as `"10"`.',
    synonyms: ["<", "lt"],
  },
  lessThanOrEquals: {
    question: bound("number", true, true),
    operand: "number",
    types: ["number"],
    summary: "The attribute is a number, `value` or less.",
    synonyms: ["<=", "lte", "le", "lessorequal", "lessthanorequalto", "atmost", "max", "notgreaterthan"],
  },
  semverEquals: {
    question: { kind: "version", isOther: false, verbs: ["is the version", "is not the version"] },
    operand: "version",
    types: ["version"],
    summary: 'The attribute is the version `value`; `"2.*"` means all versions that start with 2.',
    synonyms: ["semvereq"],
  },
  semverNotEquals: {
    question: {
      kind: "version",
      isOther: true,
      verbs: ["is a version other than", "is not a version other than"],
    },
    operand: "version",
    types: ["version"],
    summary: "The attribute is a version other than `value`.",
    synonyms: [],
  },
  semverGreaterThan: {
    question: bound("version", false, false),
    operand: "version",
    types: ["version"],
    summary: 'The attribute is a version later than `value`, such as `"4.10.0"`.',
    synonyms: ["semvergt"],
  },
  semverGreaterThanOrEquals: {
    question: bound("version", false, true),
    operand: "version",
    types: ["version"],
    summary: "The attribute is version `value` or later.",
    synonyms: ["semvergte"],
  },
  semverLessThan: {
    question: bound("version", true, false),
    operand: "version",
    types: ["version"],
    summary: 'The attribute is a version earlier than `value`, such as `"4.10.0"`.',
    synonyms: ["semverlt"],
  },
  semverLessThanOrEquals: {
    question: bound("version", true, true),
    operand: "version",
    types: ["version"],
    summary: "The attribute is version `value` or earlier.",
    synonyms: ["semverlte"],
  },
  before: {
    question: bound("moment", true, false),
    operand: "date",
    types: ["moment"],
    summary: 'The attribute is a moment before `value`: a date, `"2026-12-01"`, or a time with a zone.',
    synonyms: [],
  },
  beforeOrEquals: {
    question: bound("moment", true, true),
    operand: "date",
    types: ["moment"],
    summary: "The attribute is the moment `value` or an earlier one.",
    synonyms: ["onorbefore", "notafter"],
  },
  after: {
    question: bound("moment", false, false),
    operand: "date",
    types: ["moment"],
    summary: 'The attribute is a moment after `value`: a date, `"2026-12-01"`, or a time with a zone.',
    synonyms: [],
  },
  afterOrEquals: {
    question: bound("moment", false, true),
    operand: "date",
    types: ["moment"],
    summary: "The attribute is the moment `value` or a later one.",
    synonyms: ["onorafter", "notbefore", "since"],
  },
  exists: {
    question: { kind: "presence", isPresent: true },
    operand: "nothing",
    types: attributeTypes,
    summary: "The attribute is present, with any value. Takes no `value`.",
    synonyms: ["isset", "present", "notnull"],
  },
  notExists: {
    question: { kind: "presence", isPresent: false },
    operand: "nothing",
    types: attributeTypes,
    summary: "The attribute is missing. Takes no `value`.",
    synonyms: ["isnull", "null", "notpresent", "notset"],
  },
  percentage: {
    question: { kind: "share", isSeeded: false },
    operand: "percent",
    // A moment can be written in many ways, and a list cannot be hashed.
    types: ["text", "number"],
    summary:
      'A share of the attribute\'s values, always the same ones, from `"0"` to `"100"` %. Use an attribute whose values should stay together, such as `userId`.',
    synonyms: ["rollout", "percent", "split"],
    isExample: true,
  },
  share: { question: { kind: "share", isSeeded: true } },
  always: {
    question: { kind: "always" },
    operand: "nothing",
    types: [],
    summary: "Matches everyone. Takes no `attribute` and no `value`; no rule can follow it.",
    synonyms: ["true", "everyone"],
    isExample: true,
  },
} satisfies Readonly<Record<OperatorName, WrittenRow | SentRow>>

/** An operator as it is sent. */
export interface Operator {
  readonly name: OperatorName
  readonly question: Question
  /** Whether it is the twin that ignores the case of A to Z. */
  readonly ignoresCase: boolean
  /** The operator that it negates, as that is sent. */
  readonly negates: string | undefined
}

const sent: ReadonlyMap<string, Operator> = new Map(
  [...operatorsOnWire].map(([onWire, { name, ignoresCase }]) => {
    const { question, negates }: CommonRow = rows[name]
    return [onWire, { name, question, ignoresCase, negates: negates && nameOnWire(negates, ignoresCase) }]
  }),
)

/** The operator that is sent under a name; `undefined` for a group and for a project's own. */
export function operatorOf(onWire: string): Operator | undefined {
  return sent.get(onWire)
}

/** What is sent for an operator. */
export function nameOnWire(name: string, ignoresCase: boolean | undefined): string {
  return ignoresCase ? nameIgnoringCase(name) : name
}

/** An operator as files have it. */
export interface WrittenOperator extends WrittenRow {
  readonly canIgnoreCase: boolean
  readonly takesAttribute: boolean
}

/** The operators of files, by name. */
export const operators: ReadonlyMap<string, WrittenOperator> = new Map(
  Object.entries<WrittenRow | SentRow>(rows).flatMap(([name, row]) => {
    if (row.operand === undefined) return []
    const canIgnoreCase = operatorsOnWire.has(nameIgnoringCase(name))
    return [[name, { ...row, canIgnoreCase, takesAttribute: row.question.kind !== "always" }] as const]
  }),
)

/** The operator that asks a question. Throws if there is none, or only a negation. */
export function operatorThatAsks(asked: Asked): OperatorName {
  const name = findOperator(asked, false)
  if (name === undefined) throw new Error(`No operator asks ${JSON.stringify(asked)}`)
  return name
}

/** The operator that asks a question or, with `isNegation`, denies it; `undefined` if there is none. */
export function findOperator(asked: Asked, isNegation: boolean): OperatorName | undefined {
  const found = Object.entries<CommonRow>(rows).find(
    ([, { question, negates }]) => (negates !== undefined) === isNegation && asks(question, asked),
  )
  return found?.[0] as OperatorName | undefined
}
