import type { Report } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import type { Definition } from "../definition/definition.ts"
import { eachCondition, eachFlagUse } from "../definition/each-condition.ts"
import { inFlowStyle } from "../hints/quote.ts"
import { sameValue } from "../meaning/canonical-json.ts"

/**
 * Each `flag:` asks for a value that the other flag gives in this environment. A warning only: the other flag may be off
 * there for a while, or get rules later. `flags-are-known.ts` reports values that it can never give.
 */
export function askedValuesAreGiven(definition: Definition, report: Report): void {
  const { source, segments } = definition
  eachCondition(definition, (condition) =>
    eachFlagUse(condition, ({ key, is, gives, place }) => {
      const flag = segments.flags?.get(key?.text ?? "")
      if (key === undefined || place === undefined || flag === undefined) return
      if (flag.valuesIn(place.environment).some((value) => sameValue(value, gives))) return
      report.add({
        code: "unknown-value",
        severity: "warning",
        message: `${quoted(key.text)} never gives ${quoted(inFlowStyle(gives))} in ${quoted(place.environment)}, so this condition currently matches no one.`,
        source,
        span: is ?? key.span,
      })
    }),
  )
}
