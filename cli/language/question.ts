/** What attributes are compared by if they have an order. */
export type Order = "number" | "version" | "moment"

/** What an operator asks of an attribute. A negation asks that of an attribute that is there, and must not find it. */
export type Question =
  /** It is a text: the operand or, if that is a list, one of its texts. */
  | { readonly kind: "texts"; readonly isList: boolean; readonly verbs: Verbs }
  /** The operand is in it. */
  | { readonly kind: "part"; readonly where: Where; readonly verbs: Verbs; readonly butNot: string }
  | { readonly kind: "expression"; readonly verbs: Verbs; readonly butNot: string }
  /** It is below the operand or above it. */
  | ({ readonly kind: "bound"; readonly verbs: Verbs } & Bound)
  /** It is a version, and equal to the operand or, if `isOther`, not. */
  | { readonly kind: "version"; readonly isOther: boolean; readonly verbs: Verbs }
  | { readonly kind: "presence"; readonly isPresent: boolean }
  /** The hash of its text and of the operand's seed or, if that has none, the flag's key is in the operand's share. */
  | { readonly kind: "share"; readonly isSeeded: boolean }
  /** Nothing. */
  | { readonly kind: "always" }

/** Where in an attribute a text must be. */
export type Where = "start" | "end" | "inside"

/** A limit in an order. */
export interface Bound {
  readonly order: Order
  readonly isUpper: boolean
  readonly isInclusive: boolean
}

/** What an attribute does that matches, and what it does if not, before the operand. */
export type Verbs = readonly [does: string, doesNot: string]

/** The question for a bound, with the words that follow from it. */
export function boundQuestion(bound: Bound): Question {
  const words = boundWords(bound)
  return { kind: "bound", ...bound, verbs: [`is ${words}`, `is not ${words}`] }
}

function boundWords({ order, isUpper, isInclusive }: Bound): string {
  if (order === "version" && isInclusive) return isUpper ? "at most version" : "at least version"
  const side = order === "moment" ? (isUpper ? "before" : "after") : isUpper ? "below" : "above"
  return `a ${order} ${isInclusive ? "at or " : ""}${side}`
}

/** A question without its words. */
export type Asked = WithoutWords<Question>

type WithoutWords<Q> = Q extends unknown ? Omit<Q, "verbs" | "butNot"> : never

/** Whether a question is the one that is asked. */
export function asks(question: Question, asked: Asked): boolean {
  const members: Readonly<Record<string, unknown>> = { ...question }
  return Object.entries(asked).every(([name, member]) => members[name] === member)
}
