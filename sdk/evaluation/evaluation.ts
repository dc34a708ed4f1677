import type { Json } from "../contract/snapshot.ts"

/**
 * Attribute names and their values: text, number, boolean, Date, null, lists and objects. Only own members count.
 * Anything else is tolerated: nothing in a context makes an evaluation throw.
 */
export type Context = Readonly<Record<string, unknown>>

/**
 * Why a flag has its value: a rule (`share` if its operator is `percentage` or `share`, `always` if it is `always`), or
 * no rule.
 */
export type Cause = "rule" | "share" | "always" | "default" | "disabled" | "unconfigured"

/** What a flag evaluates to in a context. */
export type Evaluation =
  | {
      readonly kind: "evaluated"
      readonly key: string
      readonly value: Json
      readonly cause: Cause
      /** The rule that matched; `undefined` if none did. */
      readonly ruleId: string | undefined
    }
  /** The document has no such flag: the caller's default applies. */
  | { readonly kind: "unknownFlag"; readonly key: string; readonly value?: undefined }
  /** The rule that decides uses one of the project's own operators, so the caller's default applies. */
  | {
      readonly kind: "unknownOperator"
      readonly key: string
      readonly value?: undefined
      readonly ruleId: string
      readonly operator: string
    }
