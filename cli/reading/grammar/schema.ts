import { groupKinds } from "../../../sdk/evaluation/condition.ts"
import { list } from "../../diagnostics/suggest.ts"
import { always, isText } from "../../language/condition.ts"
import { flagTypes } from "../../language/flag-types.ts"
import { flagKeyPattern } from "../../language/names.ts"
import { listOperators, operators } from "../../language/operators.ts"
import { fieldsOf } from "../../language/written-condition.ts"
import { filled, id, mapping, member, text } from "./schema-parts.ts"

// One schema serves `deviations.ts` and editors; completion and hover show its descriptions.

/** The members of a comparison. */
export const ofComparison: readonly string[] = ["attribute", "operator", "value", "ignoreCase"]

/** The members of which one makes a condition what it is; one without them is a comparison. */
export const conditionForms = [...groupKinds, "segment", "share", "ramp", "flag"] as const

/** The members of a condition. */
export const conditionMembers: readonly string[] = [...ofComparison, ...conditionForms, "is"]

/** The members of a rule, which include a condition's. */
export const ruleMembers: readonly string[] = ["id", ...conditionMembers, "split", "returnValue"]

/** The members of a flag file. */
export const flagMembers: readonly string[] = [
  ...["key", "id", "name", "description", "type", "defaultValue", "schema"],
  ...["owner", "tags", "expires", "links", "environments"],
]

/** The members of a segment file. */
export const segmentMembers: readonly string[] = ["description", "owner", ...conditionMembers]

/** What the shape of a flag file depends on, from the project file. */
export interface Vocabulary {
  readonly environments: readonly { readonly name: string }[]
  /** The operators that only this project's SDKs support. */
  readonly operators: readonly string[]
}

/** Keywords that only editors understand, by the member that they are for. */
export interface EditorKeywords {
  readonly condition?: object
  readonly attribute?: object
  readonly operator?: object
  readonly value?: object
  readonly segment?: object
  /** The attribute that a split is by. */
  readonly by?: object
  readonly share?: object
  /** An end of a share. */
  readonly percent?: object
  readonly tag?: object
  readonly link?: object
}

/** The schema of a mapping. */
export interface MappingSchema {
  readonly properties: Readonly<Record<string, object>>
}

/** A schema with the definitions that it refers to. */
interface FileSchema extends MappingSchema {
  readonly definitions: { readonly condition: MappingSchema }
}

/** The shape of a flag file in this project. What depends on several members is checked in `checks/`. */
export function flagFileSchema(project: Vocabulary, keywords: EditorKeywords = {}): FileSchema {
  const condition = conditionProperties(project, keywords)
  const configuration = configurationSchema(condition, keywords)
  const environments = project.environments.map(({ name }) => [
    name,
    member(configuration, `The flag's configuration in ${name}.`, { enabled: true, rules: [] }),
  ])
  const flag = mapping(
    {
      key: member(
        { type: "string", pattern: flagKeyPattern.source },
        "The flag key, if it cannot be a file's name. By default, the file's base name.",
        "team/checkout",
      ),
      id: id("the flag"),
      name: member(filled, "The flag's name for readers. By default, the key.", "One-page checkout"),
      description: member(text, "What the flag does.", "Replaces the three-step checkout."),
      type: member({ enum: flagTypes }, "The type of the flag's values. By default, `boolean`.", "string"),
      defaultValue: member(
        {},
        "The value if the flag is disabled or not configured, or if no rule matches. Must have the flag's type.",
        false,
      ),
      schema: member(
        // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's keyword
        { if: { type: "object" }, then: { type: "object" }, else: filled },
        "The JSON Schema (2020-12) of the values of a flag whose type is `json`, or the path of a file with it, relative to this one. Never in a snapshot.",
        { type: "object", properties: { maxUploads: { type: "number" } }, additionalProperties: false },
      ),
      owner: member(text, "Who is responsible for the flag. Never in a snapshot.", "team-checkout"),
      tags: member(
        { type: "array", items: { ...text, ...keywords.tag } },
        "Words to find the flag by. Never in a snapshot.",
        ["checkout"],
      ),
      expires: member(
        text,
        "The date by which the flag should be gone (RFC 3339). Lint warns after it.",
        "2027-03-01",
      ),
      links: linksSchema(keywords),
      environments: member(
        mapping(Object.fromEntries(environments)),
        "The flag's configuration by environment. The flag is not configured in an environment that is missing here.",
      ),
    },
    ["defaultValue"],
  )
  return { ...flag, definitions: { condition: { ...mapping(condition), ...keywords.condition } } }
}

function configurationSchema(
  condition: Readonly<Record<string, object>>,
  keywords: EditorKeywords,
): MappingSchema {
  const members = {
    id: id("the rule"),
    ...condition,
    split: splitSchema(keywords),
    returnValue: member({}, "The flag's value if this rule is the first to match.", true),
  }
  const anything = Object.fromEntries(Object.keys(members).map((name) => [name, {}]))
  const rule = {
    ...mapping(members),
    if: { type: "object", properties: { split: {} }, required: ["split"] },
    else: { type: "object", properties: anything, required: ["returnValue"] },
  }
  const rules = member(
    { type: "array", items: rule },
    "The targeting rules. The first that matches decides; if none does, the flag has its defaultValue.",
    [{ ...fieldsOf(always), returnValue: true }],
  )
  const enabled = member(
    { type: "boolean" },
    "Whether the rules apply. If not, the flag has its defaultValue.",
    true,
  )
  return mapping({ id: id("the configuration"), enabled, rules }, ["enabled"])
}

function linksSchema(keywords: EditorKeywords): object {
  const address = { ...text, ...keywords.link }
  const items = {
    if: { type: "object" },
    // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's keyword
    then: mapping({ title: filled, url: address }, ["url"]),
    else: address,
  }
  return member(
    { type: "array", items },
    "URLs about the flag, such as its ticket: `https://…`, or a title and a url. Never in a snapshot.",
    ["https://tickets.example/SHOP-12"],
  )
}

const seed = member(
  filled,
  "Hashed instead of the flag's key: flags with the same seed put a user in the same place, and changing the seed re-buckets everyone.",
  "checkout",
)

/** The attribute of a share or a ramp. */
function userMember(keywords: EditorKeywords): object {
  return member({ ...filled, ...keywords.by }, "The attribute that identifies a user.", "customerId")
}

function percentMember(keyword: object | undefined, means: string, example: unknown): object {
  return member({ type: "number", ...keyword }, `${means}: a number with at most three decimals.`, example)
}

function shareSchema(keywords: EditorKeywords): object {
  return member(
    mapping(
      {
        by: userMember(keywords),
        to: percentMember(keywords.percent, "Where the share ends, in percent", 10),
        from: percentMember(keywords.percent, "Where it begins; 0 by default, in percent", 0),
        seed,
      },
      ["by", "to"],
    ),
    "A share of users, always the same ones. It replaces `attribute`, `operator` and `value`.",
    { by: "customerId", to: 10 },
  )
}

function rampSchema(keywords: EditorKeywords): object {
  const stage = mapping(
    {
      at: member(text, "When the stage begins (RFC 3339), with a zone.", "2026-12-01T09:00:00Z"),
      share: percentMember(keywords.percent, "The percentage of users from then on", 5),
    },
    ["at", "share"],
  )
  const stages = [
    { at: "2026-12-01T09:00:00Z", share: 5 },
    { at: "2026-12-02T09:00:00Z", share: 100 },
  ]
  return member(
    mapping(
      {
        by: userMember(keywords),
        stages: member(
          { type: "array", items: stage },
          "The stages, whose moments and shares go up. Whoever is in one stays in.",
          stages,
        ),
        from: percentMember(keywords.percent, "Where the shares begin, in percent; 0 by default", 0),
        seed,
      },
      ["by", "stages"],
    ),
    "A share of users that grows by itself at the moments of its stages, by the attribute that `clock` in project.yaml names. It replaces `attribute`, `operator` and `value`.",
    { by: "customerId", stages },
  )
}

function splitSchema(keywords: EditorKeywords): object {
  return member(
    mapping(
      {
        by: member(
          { ...filled, ...keywords.by },
          "The attribute that decides who falls into which share.",
          "customerId",
        ),
        seed,
        into: member(
          {
            type: "array",
            minItems: 1,
            items: mapping(
              {
                share: percentMember(keywords.share, "The percentage of users who get this value", 34),
                returnValue: member({}, "The flag's value for this share.", "control"),
              },
              ["share", "returnValue"],
            ),
          },
          "The shares, which add up to at most 100. Anyone else falls through to the next rule.",
          [
            { share: 50, returnValue: "control" },
            { share: 50, returnValue: "green" },
          ],
        ),
      },
      ["by", "into"],
    ),
    "Gives several values, each to a share of users. A condition next to it limits who is split.",
    { by: "customerId", into: [{ share: 50, returnValue: true }] },
  )
}

/** The shape of a segment file in this project. */
export function segmentFileSchema(project: Vocabulary, keywords: EditorKeywords = {}): FileSchema {
  const condition = conditionProperties(project, keywords)
  const segment = mapping({
    description: member(text, "Who is in the segment.", "Everyone who works here."),
    owner: member(text, "Who is responsible for the segment. Never in a snapshot.", "team-people"),
    ...condition,
  })
  return { ...segment, definitions: { condition: { ...mapping(condition), ...keywords.condition } } }
}

/** What editors offer if nothing is known about an attribute's values. */
export const operandExamples: readonly unknown[] = ["@example.com", "25", ["DE", "FR"]]

/** What a rule and each condition of a group may have; which of them belong together is checked in `checks/`. */
export function conditionProperties(project: Vocabulary, keywords: EditorKeywords): Record<string, object> {
  const conditions = { type: "array", minItems: 1, items: { $ref: "#/definitions/condition" } }
  const group = (means: string) =>
    member(conditions, `${means} They replace \`attribute\`, \`operator\` and \`value\`.`, [
      fieldsOf(isText("country", "DE")),
      fieldsOf(isText("plan", "pro")),
    ])
  return {
    attribute: member(
      { ...filled, ...keywords.attribute },
      "The attribute of the evaluation context that is compared.",
      "email",
      "country",
    ),
    operator: member(
      { enum: [...operators.keys(), ...project.operators], ...keywords.operator },
      "How the attribute is compared with `value`. `always` matches everyone and needs neither.",
      ...[...operators].flatMap(([name, { isExample }]) => (isExample ? [name] : [])),
    ),
    value: member(
      { ...keywords.value },
      `What the attribute is compared with: text, so quote numbers and dates. For ${list(listOperators)} a list, or a file with one value a line: \`{ file: customers.txt }\`.`,
      ...operandExamples,
    ),
    ignoreCase: member(
      { type: "boolean" },
      "Ignores the case of A to Z. For operators that compare strings and lists of strings.",
      true,
    ),
    all: group("Conditions that must all hold."),
    any: group("Conditions, at least one of which must hold."),
    none: group("Conditions, none of which may hold."),
    segment: member(
      { ...filled, ...keywords.segment },
      "The name of a segment, whose condition applies here: `staff` for `staff.segment.yaml`. It replaces `attribute`, `operator` and `value`.",
      "staff",
    ),
    share: shareSchema(keywords),
    ramp: rampSchema(keywords),
    flag: member(
      filled,
      "The key of another flag, which must give the value of `is` to the same user in this environment. It replaces `attribute`, `operator` and `value`.",
      "new-checkout",
    ),
    is: member({}, "The value that the other flag gives. By default, `true`.", true),
  }
}
