import { list } from "../../diagnostics/suggest.ts"
import { type Node, toValue } from "../../language/tree.ts"
import { describe } from "./quote.ts"

/** Members that authors often write where names of environments belong. */
export const ofConfiguration: readonly string[] = ["enabled", "rules"]

/** Advice about a name that is not an environment's; `known` are the project's environments. */
export function environmentAdvice(name: string, known: readonly string[]): string | undefined {
  const [another, example = "production"] = known.length < 2 ? [undefined, ...known] : known.slice(-2)
  if (/^(all|any|every|everywhere|default|\*)$/i.test(name))
    return another === undefined
      ? `Each environment has its own configuration: write it under \`${example}:\`.`
      : `Each environment has its own configuration. Write it once with an anchor, \`${example}: &same { … }\`, and again as \`${another}: *same\`.`
  return ofConfiguration.includes(name)
    ? `${list(ofConfiguration)} belong to one environment: indent them under its name, such as \`${example}:\`.`
    : undefined
}

/** The message about `environments` as a list or a single name. */
export function environmentsAsMapping(node: Node, known: object): string {
  const names = (node.kind === "sequence" ? node.items : [node]).flatMap((item) =>
    item.kind === "mapping"
      ? item.members.flatMap(({ name, value }) => [name, toValue(value)])
      : toValue(item),
  )
  const meant = names.find((name) => typeof name === "string" && Object.hasOwn(known, name))
  const example = meant ?? Object.keys(known)[0]
  const dash = node.kind === "sequence" ? " without a dash" : ""
  return `\`environments\` must be a mapping, not ${describe(node)}. Write the name of each environment${dash}, and its configuration under it, such as \`${example}: { enabled: true, rules: [] }\`.`
}
