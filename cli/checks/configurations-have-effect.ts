import type { Json } from "../../sdk/contract/snapshot.ts"
import type { Report } from "../diagnostics/diagnostic.ts"
import { list } from "../diagnostics/suggest.ts"
import { sameValue } from "../language/canonical-json.ts"
import type { Configuration, Flag } from "../language/flag.ts"

/**
 * Where a flag is enabled, some rule can return a value other than `defaultValue`. Otherwise it serves the same as if
 * disabled, although its author may believe that it is on. Reported once per flag.
 */
export function configurationsHaveEffect(
  { source, defaultValue, defaultNode, configurations }: Flag,
  report: Report,
): void {
  if (defaultNode === undefined) return
  const idle = [...configurations.values()].filter((configuration) => isIdle(configuration, defaultValue))
  const [first] = idle
  if (first === undefined) return
  const names = list(idle.map(({ environment }) => environment))
  report.add({
    code: "no-effect",
    message: `The flag is enabled in ${names} but serves defaultValue to everyone there: no rule returns anything else. Add a rule, or write \`enabled: false\`.`,
    source,
    span: first.nameSpan,
  })
}

function isIdle({ enabled, rules }: Configuration, defaultValue: Json): boolean {
  return (
    enabled &&
    rules.every(({ gives, givesNode }) => givesNode !== undefined && sameValue(gives, defaultValue))
  )
}
