import type { Report } from "../../diagnostics/diagnostic.ts"
import { list } from "../../diagnostics/suggest.ts"
import type { DefinedConfiguration, Definition } from "../definition/definition.ts"
import { canonicalJson } from "../meaning/canonical-json.ts"
import { type Node, toValue } from "../yaml/tree.ts"

/**
 * Where a flag is enabled, some rule can return another value than `defaultValue`: else it serves what it would serve
 * disabled, and its author may believe it on. Of one flag this is said once.
 */
export function configurationsHaveEffect(definitions: readonly Definition[], report: Report): void {
  for (const { source, defaultValue, configurations } of definitions) {
    if (defaultValue === undefined) continue
    const always = canonicalJson(toValue(defaultValue))
    const idle = configurations.filter((configuration) => isIdle(configuration, always))
    const [first] = idle
    if (first === undefined) continue
    const names = list(idle.map(({ environment }) => environment))
    report.add({
      code: "no-effect",
      message: `Enabled in ${names}, the flag still serves defaultValue to everyone there: no rule returns anything else. Add a rule, or write \`enabled: false\`.`,
      source,
      span: first.nameSpan,
    })
  }
}

function isIdle({ enabled, rules }: DefinedConfiguration, always: string): boolean {
  return enabled && rules.every(({ returnValue }) => isSame(returnValue, always))
}

function isSame(node: Node | undefined, always: string): boolean {
  return node !== undefined && canonicalJson(toValue(node)) === always
}
