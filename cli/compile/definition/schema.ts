import { environmentNamePattern } from "../../../proxy/contract/environment-name.ts"
import { flagTypes } from "./definition.ts"
import { attributeTypes } from "./known-attributes.ts"
import { flagKeyPattern, operatorPattern, projectNamePattern } from "./names.ts"
import { groupKinds, operators } from "./operators.ts"

// One schema serves Ajv and editors; completion and hover show its descriptions.

/** The members of a condition. */
export const conditionMembers: readonly string[] = [
  "attribute",
  "operator",
  "value",
  ...groupKinds,
  "segment",
]

/** The members of a rule, which is a condition, too. */
export const ruleMembers: readonly string[] = ["id", ...conditionMembers, "split", "returnValue"]

/** The members of a segment file. */
export const segmentMembers: readonly string[] = ["description", "owner", ...conditionMembers]

/** A member's schema, with the description that editors show. */
function member(schema: object, description: string, ...examples: readonly unknown[]) {
  return { ...schema, description, ...(examples.length === 0 ? {} : { examples }) }
}

const text = { type: "string" } as const
const filled = { type: "string", minLength: 1 } as const

function id(of: string) {
  const schema = { type: "string", minLength: 1, maxLength: 300 }
  return member(schema, `The id of ${of} on the wire. Left out, one is made that stays the same.`, "abc-123")
}

function mapping(properties: Record<string, object>, required: readonly string[] = []) {
  return { type: "object", properties, required, additionalProperties: false }
}

/** What the shape of a flag file depends on, from the project file. */
export interface Vocabulary {
  readonly environments: readonly { readonly name: string }[]
  /** The operators that only this project's SDKs know. */
  readonly operators: readonly string[]
}

/** Keywords for a condition and its members that only editors understand. */
export interface EditorKeywords {
  readonly condition?: object
  readonly attribute?: object
  readonly operator?: object
  readonly value?: object
  readonly segment?: object
}

/** A schema, with what it refers to in itself. */
interface FileSchema {
  readonly definitions: object
}

/** The shape of a flag file in this project. What depends on several members is checked in `checks/`. */
export function flagFileSchema(project: Vocabulary, keywords: EditorKeywords = {}): FileSchema {
  const condition = conditionProperties(project, keywords)
  const members = {
    id: id("the rule"),
    ...condition,
    split: splitSchema,
    returnValue: member({}, "The flag's value where this rule is the first that matches.", true),
  }
  const anything = Object.fromEntries(Object.keys(members).map((name) => [name, {}]))
  const rule = {
    ...mapping(members),
    if: { type: "object", properties: { split: {} }, required: ["split"] },
    else: { type: "object", properties: anything, required: ["returnValue"] },
  }
  const rules = member(
    { type: "array", items: rule },
    "The targeting rules. The first that matches decides; where none does, the flag has its defaultValue.",
    [{ operator: "always", returnValue: true }],
  )
  const enabled = member(
    { type: "boolean" },
    "Whether the rules apply. Where they do not, the flag has its defaultValue.",
    true,
  )
  const configuration = mapping({ id: id("the configuration"), enabled, rules }, ["enabled"])
  const environments = project.environments.map(({ name }) => [
    name,
    member(configuration, `The flag's configuration in ${name}.`, { enabled: true, rules: [] }),
  ])
  const flag = mapping(
    {
      key: member(
        { type: "string", pattern: flagKeyPattern.source },
        "The flag key, where no file can be named after it. Left out, it is the file's base name.",
        "team/checkout",
      ),
      id: id("the flag"),
      name: member(filled, "What people call the flag. Left out, it is the key.", "One-page checkout"),
      description: member(text, "What the flag does, for people.", "Replaces the three-step checkout."),
      type: member({ enum: flagTypes }, "What the flag's values are. Left out, `boolean`.", "string"),
      defaultValue: member(
        {},
        "The value where the flag is disabled or not configured, and where no rule matches. Of the flag's type.",
        false,
      ),
      owner: member(text, "Who answers for the flag. Never in a snapshot.", "team-checkout"),
      tags: member({ type: "array", items: text }, "Words to find the flag by. Never in a snapshot.", [
        "checkout",
      ]),
      expires: member(
        text,
        "The date by which the flag should be gone (RFC 3339). Lint warns after it.",
        "2027-03-01",
      ),
      environments: member(
        mapping(Object.fromEntries(environments)),
        "The flag's configuration by environment. One that is missing here leaves the flag not configured there.",
      ),
    },
    ["defaultValue"],
  )
  return { ...flag, definitions: { condition: { ...mapping(condition), ...keywords.condition } } }
}

const splitSchema = member(
  mapping(
    {
      by: member(filled, "The attribute that decides who falls into which share.", "customerId"),
      into: member(
        {
          type: "array",
          minItems: 1,
          items: mapping(
            {
              share: member(
                { type: "number" },
                "How many percent of the people get this value: a number of at most three decimals.",
                34,
              ),
              returnValue: member({}, "The flag's value for this share.", "control"),
            },
            ["share", "returnValue"],
          ),
        },
        "The shares, which add up to at most 100. The rest goes on to the next rule.",
        [
          { share: 50, returnValue: "control" },
          { share: 50, returnValue: "green" },
        ],
      ),
    },
    ["by", "into"],
  ),
  "Gives several values, each to a share of people. A condition beside it says who is split; without one, everybody is.",
  { by: "customerId", into: [{ share: 50, returnValue: true }] },
)

/** The shape of a segment file in this project. */
export function segmentFileSchema(project: Vocabulary, keywords: EditorKeywords = {}): FileSchema {
  const condition = conditionProperties(project, keywords)
  const segment = mapping({
    description: member(text, "Whom the segment is for, for people.", "Everybody who works here."),
    owner: member(text, "Who answers for the segment. Never in a snapshot.", "team-people"),
    ...condition,
  })
  return { ...segment, definitions: { condition: { ...mapping(condition), ...keywords.condition } } }
}

/** What a rule and each condition of a group may have; which of them belong together is checked in `checks/`. */
function conditionProperties(project: Vocabulary, keywords: EditorKeywords): Record<string, object> {
  const conditions = { type: "array", minItems: 1, items: { $ref: "#/definitions/condition" } }
  const group = (means: string) =>
    member(conditions, `${means} They stand in place of \`attribute\`, \`operator\` and \`value\`.`, [
      { attribute: "country", operator: "equals", value: "DE" },
      { attribute: "plan", operator: "equals", value: "pro" },
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
      "endsWith",
      "in",
      "percentage",
      "always",
    ),
    value: member(
      { ...keywords.value },
      "What the attribute is compared with: text, so numbers and dates are quoted. A list for `in` and `notIn`.",
      "@example.com",
      "25",
      ["DE", "FR"],
    ),
    all: group("Conditions that all hold."),
    any: group("Conditions of which at least one holds."),
    none: group("Conditions of which none holds."),
    segment: member(
      { ...filled, ...keywords.segment },
      "The name of a segment, whose condition this stands for: `staff` for that of `staff.segment.yaml`. It stands in place of `attribute`, `operator` and `value`.",
      "staff",
    ),
  }
}

/** What the project file says of an attribute. */
const attribute = mapping({
  type: member(
    { enum: attributeTypes },
    "What the attribute is. An operator that does not fit is an error.",
    "text",
  ),
  description: member(text, "What the attribute is, for people who write rules.", "ISO 3166 code"),
  values: member({ type: "array", minItems: 1, items: text }, "The only values it can have.", [
    "free",
    "pro",
  ]),
})

/** The members of a flag that a project can require. */
const requirable = { enum: ["name", "description", "type", "owner", "tags", "expires"] } as const

/**
 * The shape of the project file. What a member is for is said to editors; `additional` members are those whose names the
 * author chooses.
 */
export const projectFileSchema: object = mapping(
  {
    project: member(
      { type: "string", pattern: projectNamePattern.source },
      "The project's name. It is part of the ids on the wire, so it stays as it is.",
      "shop",
    ),
    id: id("the project"),
    environments: member(
      {
        type: "array",
        minItems: 1,
        items: {
          if: { type: "object" },
          // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's keyword
          then: mapping({ name: { type: "string", pattern: environmentNamePattern.source }, id: id("it") }, [
            "name",
          ]),
          else: { type: "string", pattern: environmentNamePattern.source },
        },
      },
      "The environments, in the order in which a change goes through them.",
      ["development", "staging", "production"],
    ),
    operators: member(
      { type: "array", items: { type: "string", pattern: operatorPattern.source } },
      "Operators that only this project's SDKs know.",
      ["isNear"],
    ),
    protected: member(
      { type: "array", items: text },
      "The environments whose changes need the most care: `flagstone diff` says them first.",
      ["production"],
    ),
    attributes: member(
      {
        type: "object",
        additionalProperties: member(attribute, "An attribute of evaluation contexts.", { type: "text" }),
      },
      "The attributes of evaluation contexts by name. Where they are listed, any other is an error.",
      { plan: { type: "text", values: ["free", "pro"] } },
    ),
    tags: member(
      { type: "array", items: text },
      "The tags that flags may have. Where they are listed, any other is an error.",
      ["checkout", "permanent"],
    ),
    ignore: member(
      { type: "array", items: { ...filled, maxLength: 300 } },
      "Globs of files below the flags folder that are none of Flagstone's, as paths from that folder.",
      ["docs/**", "*.csv"],
    ),
    require: member(
      {
        type: "array",
        items: {
          if: { type: "object" },
          // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's keyword
          then: mapping({ member: requirable, exceptTagged: { type: "array", items: text } }, [
            "member",
            "exceptTagged",
          ]),
          else: requirable,
        },
      },
      "Members that each flag must have; one with `exceptTagged` not on flags with one of these tags.",
      ["owner", { member: "expires", exceptTagged: ["permanent"] }],
    ),
  },
  ["project", "environments"],
)
