import { list } from "../../diagnostics/suggest.ts"
import { type Node, toValue } from "../yaml/tree.ts"
import { describe } from "./quote.ts"

/** The members that often stand where the names of environments do. */
export const ofConfiguration: readonly string[] = ["enabled", "rules"]

/** What was probably meant by a name that stands where environments do. */
export function environmentAdvice(name: string): string | undefined {
  if (/^(all|any|every|everywhere|default|\*)$/i.test(name))
    return "Each environment has its own configuration. Write it once with an anchor, `production: &same { … }`, and again as `staging: *same`."
  return ofConfiguration.includes(name)
    ? `${list(ofConfiguration)} belong to one environment: write them below its name, such as \`production:\`, with more indentation.`
    : undefined
}

/** What is said of environments in a list of names or of mappings, or of one that stands alone. */
export function environmentsAsMapping(node: Node, known: object): string {
  const names = (node.kind === "sequence" ? node.items : [node]).flatMap((item) =>
    item.kind === "mapping"
      ? item.members.flatMap(({ name, value }) => [name, toValue(value)])
      : toValue(item),
  )
  const meant = names.find((name) => typeof name === "string" && Object.hasOwn(known, name))
  const example = meant ?? Object.keys(known)[0]
  const dash = node.kind === "sequence" ? " without a dash" : ""
  return `\`environments\` must be a mapping, not ${describe(node)}. Write the name of each environment${dash}, and its configuration below it, such as \`${example}: { enabled: true, rules: [] }\`.`
}
