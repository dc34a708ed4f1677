import type { Report } from "../diagnostics/diagnostic.ts"
import { list } from "../diagnostics/suggest.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import { type Node, toValue } from "../language/tree.ts"
import type { DefinedConfiguration, Definition } from "../reading/definition.ts"
import { sentRules } from "../reading/split.ts"

/**
 * Where a flag is enabled, some rule can return a value other than `defaultValue`. Otherwise it serves the same as if
 * disabled, although its author may believe that it is on. Reported once per flag.
 */
export function configurationsHaveEffect(
  { source, defaultValue, configurations }: Definition,
  report: Report,
): void {
  if (defaultValue === undefined) return
  const defaultJson = canonicalJson(toValue(defaultValue))
  const idle = configurations.filter((configuration) => isIdle(configuration, defaultJson))
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

function isIdle(configuration: DefinedConfiguration, defaultJson: string): boolean {
  const { enabled } = configuration
  return enabled && sentRules(configuration).every(({ returnValue }) => isSame(returnValue, defaultJson))
}

function isSame(node: Node | undefined, defaultJson: string): boolean {
  return node !== undefined && canonicalJson(toValue(node)) === defaultJson
}
