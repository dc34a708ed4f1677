import { filled, mapping, member } from "./schema-parts.ts"

/** The members of the long form of `expect`. */
export const expectMembers = ["value", "rule", "cause"] as const

const object = { type: "object" }

/** The shape of a spec file. `readSpec` checks what no schema can express. `environment`: keywords for editors. */
export function specFileSchema(environment: object = {}) {
  const share = mapping(
    {
      by: member(filled, "The attribute that gets the ids `1` to `of`."),
      of: member({}, "How many ids are tried. By default, 10,000."),
      value: member({}, "The value whose share is counted."),
      is: member({}, "The percentage of ids that get the value, and its tolerance: `10 ± 1`."),
    },
    ["by", "value", "is"],
  )
  const one = mapping({
    name: member(filled, "The case's name in reports. By default, its line."),
    environment: member(
      { ...filled, ...environment },
      "An environment of the project. By default, all of them.",
    ),
    context: member(object, "The attributes of a user, as an SDK sends them. By default, none."),
    matrix: member(object, "Attributes with lists of values: the case holds for every combination."),
    expect: member(
      {},
      "The value that the flag gives; or a mapping of `value`, `rule` and `cause`, each optional.",
    ),
    share: member(share, "Instead of `expect`: what percentage of ids gets a value.", {
      by: "userId",
      value: true,
      is: "10 ± 1",
    }),
  })
  return mapping(
    {
      flag: member(filled, "The key of the flag."),
      cases: member({ type: "array", items: one }, "What the flag must give, and to whom."),
    },
    ["flag", "cases"],
  )
}
