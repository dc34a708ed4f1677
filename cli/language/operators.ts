import { nameIgnoringCase, type OperatorName, operatorsOnWire } from "../../sdk/evaluation/operators.ts"
import {
  type Asked,
  asks,
  boundQuestion,
  type Order,
  type Question,
  type Verbs,
  type Where,
} from "./question.ts"

// The operators, one row each: how authors write them, and what Flagstone does with them besides evaluating.
// sdk/evaluation/operators.ts has how SDKs read an operand, and what matches.

/** The form of what an operator compares with: of a rule's `value` or, if the operator takes a list, of each item. */
export type Operand = "nothing" | "text" | "expression" | "number" | "version" | "date" | "percent"

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
  /** Whether it compares with a list, which can also be written as JSON or be in a file; absent: it does not. */
  readonly takesList?: boolean
  /** The types of attributes that it works on. */
  readonly types: readonly AttributeType[]
  /** For completion and hover: a summary of docs/flag-files.md. */
  readonly summary: string
  /** What other tools call it, in lower case without `_`, `-`, blanks and the `s` of a verb. */
  readonly synonyms: readonly string[]
  /** Whether editors offer it as an example. */
  readonly isExample?: boolean
}

/** The form of a rule's `value`. */
export type OperandForm = Pick<WrittenRow, "operand" | "takesList">

/** An operator that files write in a different way. */
interface SentRow extends CommonRow {
  readonly operand?: never
}

const values = ["text", "number", "boolean", "version", "list"] as const
const texts = ["text", "list"] as const

// What rows share: a question, the form of its operand, and the types of attributes that it can be asked about.

const isText = {
  question: { kind: "texts", isList: false, verbs: ["is", "is not"] },
  operand: "text",
  types: values,
} as const
const isOneOf = {
  question: { kind: "texts", isList: true, verbs: ["is one of", "is not one of"] },
  operand: "text",
  takesList: true,
  types: values,
} as const
const hasPart = has("inside", ["contains", "does not contain"], "")
const isFound = {
  question: { kind: "expression", verbs: ["matches", "does not match"], butNot: "" },
  operand: "expression",
  types: texts,
} as const

function has(where: Where, verbs: Verbs, butNot: string) {
  return { question: { kind: "part", where, verbs, butNot }, operand: "text", types: texts } as const
}

function isBeyond(order: Order, isUpper: boolean, isInclusive: boolean) {
  const question = boundQuestion({ order, isUpper, isInclusive })
  return { question, operand: order === "moment" ? "date" : order, types: [order] } as const
}

function isVersion(isOther: boolean, verbs: Verbs) {
  return { question: { kind: "version", isOther, verbs }, operand: "version", types: ["version"] } as const
}

function isThere(isPresent: boolean) {
  return { question: { kind: "presence", isPresent }, operand: "nothing", types: attributeTypes } as const
}

const rows = {
  equals: {
    ...isText,
    summary: "The attribute is exactly `value`.",
    synonyms: ["=", "==", "===", "eq", "is", "equal", "equalto"],
  },
  notEquals: {
    ...isText,
    negates: "equals",
    summary: "The attribute is present and is not `value`.",
    synonyms: ["!=", "!==", "<>", "ne", "neq", "isnot", "notequalto"],
  },
  contains: {
    ...hasPart,
    summary: "The attribute contains `value`.",
    synonyms: ["include", "substring"],
  },
  notContains: {
    ...hasPart,
    negates: "contains",
    summary: "The attribute is present and does not contain `value`.",
    synonyms: ["notinclude"],
  },
  startsWith: {
    ...has("start", ["starts with", "does not start with"], "with "),
    summary: "The attribute starts with `value`.",
    synonyms: ["prefix", "hasprefix", "beginwith"],
  },
  endsWith: {
    ...has("end", ["ends with", "does not end with"], "with "),
    summary: 'The attribute ends with `value`, such as `"@example.com"`.',
    synonyms: ["suffix", "hassuffix"],
    isExample: true,
  },
  matches: {
    ...isFound,
    summary:
      "The regular expression `value`, in RE2's syntax, matches part of the attribute; `^` and `$` anchor it to the ends, and `(?i)` at its start ignores case.",
    synonyms: ["match", "regex", "regexp", "matchesregex", "~", "=~"],
  },
  notMatches: {
    ...isFound,
    negates: "matches",
    summary: "The attribute is present and the regular expression `value` matches no part of it.",
    synonyms: ["notmatch", "notregex", "notmatchesregex", "!~"],
  },
  in: {
    ...isOneOf,
    summary: "The attribute is one of the strings in the list `value`, such as `[DE, FR]`.",
    synonyms: ["oneof", "anyof", "inlist"],
    isExample: true,
  },
  notIn: {
    ...isOneOf,
    negates: "in",
    summary: "The attribute is present and is none of the strings in the list `value`.",
    synonyms: ["nin", "noneof", "notoneof", "notanyof", "notinlist"],
  },
  greaterThan: {
    ...isBeyond("number", false, false),
    summary: 'The attribute is a number greater than `value`, a decimal number such as `"10"`.',
    synonyms: [">", "gt"],
  },
  greaterThanOrEquals: {
    ...isBeyond("number", false, true),
    summary: "The attribute is a number, `value` or greater.",
    synonyms: [">=", "gte", "ge", "greaterorequal", "greaterthanorequalto", "atleast", "min", "notlessthan"],
  },
  lessThan: {
    ...isBeyond("number", true, false),
    summary: 'The attribute is a number less than `value`, a decimal number such as `"10"`.',
    synonyms: ["<", "lt"],
  },
  lessThanOrEquals: {
    ...isBeyond("number", true, true),
    summary: "The attribute is a number, `value` or less.",
    synonyms: ["<=", "lte", "le", "lessorequal", "lessthanorequalto", "atmost", "max", "notgreaterthan"],
  },
  semverEquals: {
    ...isVersion(false, ["is the version", "is not the version"]),
    summary: 'The attribute is the version `value`; `"2.*"` means all versions that start with 2.',
    synonyms: ["semvereq"],
  },
  semverNotEquals: {
    ...isVersion(true, ["is a version other than", "is not a version other than"]),
    summary: "The attribute is a version other than `value`.",
    synonyms: [],
  },
  semverGreaterThan: {
    ...isBeyond("version", false, false),
    summary: 'The attribute is a version later than `value`, such as `"4.10.0"`.',
    synonyms: ["semvergt"],
  },
  semverGreaterThanOrEquals: {
    ...isBeyond("version", false, true),
    summary: "The attribute is version `value` or later.",
    synonyms: ["semvergte"],
  },
  semverLessThan: {
    ...isBeyond("version", true, false),
    summary: 'The attribute is a version earlier than `value`, such as `"4.10.0"`.',
    synonyms: ["semverlt"],
  },
  semverLessThanOrEquals: {
    ...isBeyond("version", true, true),
    summary: "The attribute is version `value` or earlier.",
    synonyms: ["semverlte"],
  },
  before: {
    ...isBeyond("moment", true, false),
    summary: 'The attribute is a moment before `value`: a date, `"2026-12-01"`, or a time with a zone.',
    synonyms: [],
  },
  beforeOrEquals: {
    ...isBeyond("moment", true, true),
    summary: "The attribute is the moment `value` or an earlier one.",
    synonyms: ["onorbefore", "notafter"],
  },
  after: {
    ...isBeyond("moment", false, false),
    summary: 'The attribute is a moment after `value`: a date, `"2026-12-01"`, or a time with a zone.',
    synonyms: [],
  },
  afterOrEquals: {
    ...isBeyond("moment", false, true),
    summary: "The attribute is the moment `value` or a later one.",
    synonyms: ["onorafter", "notbefore", "since"],
  },
  exists: {
    ...isThere(true),
    summary: "The attribute is present, with any value. Takes no `value`.",
    synonyms: ["isset", "present", "notnull"],
  },
  notExists: {
    ...isThere(false),
    summary: "The attribute is missing. Takes no `value`.",
    synonyms: ["isnull", "null", "notpresent", "notset"],
  },
  percentage: {
    question: { kind: "share", isSeeded: false },
    operand: "percent",
    // A moment can be written in many ways, and a list cannot be hashed.
    types: ["text", "number"],
    summary:
      'An older way to write `share: { by: userId, to: 25 }`, from `"0"` to `"100"` %. Both pick the same users.',
    synonyms: [],
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

/** The names of the operators that compare with a list. */
export const listOperators: readonly string[] = [...operators].flatMap(([name, { takesList }]) =>
  takesList ? [name] : [],
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
