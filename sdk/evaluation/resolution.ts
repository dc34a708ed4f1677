import type { FlagEntry, Json } from "../contract/snapshot.ts"
import type { Cause, Evaluation } from "./evaluation.ts"
import { isAlways } from "./operators.ts"

/** An evaluation in OpenFeature's terms, shared by OFREP and the in-process provider, so that both give the same. */
export type Resolution =
  | {
      readonly kind: "resolved"
      readonly key: string
      readonly value: Json
      readonly reason: ResolutionReason
      /** The id of the rule that gave the value, else `default`: clients treat an answer without one as broken. */
      readonly variant: string
    }
  /** The caller's own default applies. */
  | {
      readonly kind: "failed"
      readonly key: string
      readonly errorCode: "FLAG_NOT_FOUND" | "GENERAL"
      readonly errorDetails: string
    }

/**
 * A disabled flag has the reason `DEFAULT`: with `DISABLED` some clients would give the caller's default instead of the
 * flag's, so one flag would have different values in different languages.
 */
export type ResolutionReason = "STATIC" | "TARGETING_MATCH" | "SPLIT" | "DEFAULT"

const reasons: Readonly<Record<Cause, ResolutionReason>> = {
  rule: "TARGETING_MATCH",
  always: "TARGETING_MATCH", // after rules that did not match; as the first rule it makes the flag static
  share: "SPLIT",
  default: "DEFAULT",
  disabled: "DEFAULT",
  unconfigured: "DEFAULT",
}

/** `isStatic` is the result of `isStaticFlag` for the flag's entry. */
export function resolutionOf(evaluation: Evaluation, isStatic: boolean): Resolution {
  const { key } = evaluation
  switch (evaluation.kind) {
    case "evaluated": {
      const { value, cause, ruleId } = evaluation
      const reason = isStatic ? "STATIC" : reasons[cause]
      return { kind: "resolved", key, value, reason, variant: ruleId ?? "default" }
    }
    case "unknownFlag":
      return { kind: "failed", key, errorCode: "FLAG_NOT_FOUND", errorDetails: "Flag not found" }
    case "unknownOperator": {
      const { ruleId, operator } = evaluation
      const errorDetails = `Rule ${ruleId} decides by the operator ${operator}, which only the project's own code knows`
      return { kind: "failed", key, errorCode: "GENERAL", errorDetails }
    }
  }
}

/** Whether an enabled flag has the same value for everyone: it has no rules, or the first one is `always`. */
export function isStaticFlag({ environment }: FlagEntry): boolean {
  if (environment?.enabled !== true) return false
  const [first] = environment.rules
  return first === undefined || isAlways(first.operator)
}
