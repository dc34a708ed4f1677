import type { Report } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import { sameValue } from "../language/canonical-json.ts"
import type { Flag } from "../language/flag.ts"
import { spanOfValue } from "../reading/condition.ts"
import { conditionsIn } from "../reading/conditions-in-file.ts"

/**
 * Each `flag:` asks for a value that the other flag gives in this environment. A warning only: the other flag may be off
 * there for a while, or get rules later. `flags-are-known.ts` reports values that it can never give.
 */
export function askedValuesAreGiven(flag: Flag, report: Report): void {
  const { source, references } = flag
  for (const part of conditionsIn(flag)) {
    if (part.kind !== "flag") continue
    const { key, environment, is } = part
    const asked = references.flags?.get(key)
    if (asked === undefined || asked.isBroken()) continue
    if (asked.valuesIn(environment).some((value) => sameValue(value, is))) continue
    report.add({
      code: "unknown-value",
      severity: "warning",
      message: `${quoted(key)} never gives ${quoted(yamlLine(is))} in ${quoted(environment)}, so this condition currently matches no one.`,
      source,
      span: spanOfValue(part),
    })
  }
}
