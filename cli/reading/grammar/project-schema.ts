import { environmentNamePattern } from "../../../proxy/contract/environment-name.ts"
import { operatorPattern, projectNamePattern, staleAfterPattern } from "../../language/names.ts"
import { attributeTypes } from "../../language/operators.ts"
import type { MappingSchema } from "./schema.ts"
import { filled, id, mapping, member, text } from "./schema-parts.ts"

/** An attribute's declaration in the project file. */
const attribute = mapping({
  type: member(
    { enum: attributeTypes },
    "The attribute's type. An operator that does not fit it is an error.",
    "text",
  ),
  description: member(text, "Explains the attribute to authors of rules.", "ISO 3166 code"),
  values: member({ type: "array", minItems: 1, items: text }, "The only values it can have.", [
    "free",
    "pro",
  ]),
})

/** How long a flag is unchanged before it is stale. */
const staleAfter = { type: "string", pattern: staleAfterPattern.source } as const

/** The members of a flag that a project can require. */
const requirable = { enum: ["name", "description", "type", "owner", "tags", "expires"] } as const

/**
 * The shape of the project file. Editors show the descriptions. Members in `additionalProperties` have names that the
 * author chooses.
 */
export const projectFileSchema: MappingSchema = mapping(
  {
    project: member(
      { type: "string", pattern: projectNamePattern.source },
      "The project's name. It is part of the ids on the wire, so do not change it.",
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
      "The environments, in the order in which changes reach them.",
      ["development", "staging", "production"],
    ),
    operators: member(
      { type: "array", items: { type: "string", pattern: operatorPattern.source } },
      "Operators that only this project's SDKs support.",
      ["isNear"],
    ),
    protected: member(
      { type: "array", items: text },
      "The environments whose changes need the most care: `flagstone diff` lists them first.",
      ["production"],
    ),
    diff: member(
      mapping({
        manyChange: member(
          { type: "number" },
          "The share of users, in percent, from which a change of their value at once gets a warning. By default, 50.",
          25,
        ),
      }),
      "When `flagstone diff` warns.",
      { manyChange: 25 },
    ),
    fastLane: member(
      {
        type: "array",
        minItems: 1,
        items: mapping(
          {
            environments: member(
              { type: "array", minItems: 1, items: text },
              "The environments in which users may get a different value.",
              ["development", "staging"],
            ),
            gives: member({ enum: ["default"] }, "They may only fall back to the flag's default.", "default"),
            only: member(
              mapping({ segment: member(filled, "The name of a segment.", "staff") }, ["segment"]),
              "Only users in a segment may.",
              { segment: "staff" },
            ),
            grows: member(
              { type: "number" },
              "Only the users by whom one rollout grows may: at most this many percent of all.",
              5,
            ),
          },
          ["environments"],
        ),
      },
      "The changes that wait for no one: `flagstone diff --fast-lane` proves that a branch makes no other.",
      [{ environments: ["production"], gives: "default" }],
    ),
    stale: member(
      mapping({
        after: member(staleAfter, "How long a flag must be unchanged to be stale. By default, 30d.", "60d"),
        byTag: member(
          {
            type: "object",
            additionalProperties: member(staleAfter, "The same for flags with this tag.", "14d", "never"),
          },
          "The same for flags with a tag; with several, the longest counts. Flags with `permanent` are never stale.",
          { experiment: "14d", operations: "never" },
        ),
      }),
      "When `flagstone stale` lists a flag.",
      { after: "60d", byTag: { experiment: "14d" } },
    ),
    clock: member(
      filled,
      "The attribute that has the time in contexts, which ramps compare: proxies and providers add it if they are told to. Its type is `moment`.",
      "now",
    ),
    attributes: member(
      {
        type: "object",
        additionalProperties: member(attribute, "An attribute of evaluation contexts.", { type: "text" }),
      },
      "The attributes of evaluation contexts by name. If they are listed, any other is an error.",
      { plan: { type: "text", values: ["free", "pro"] } },
    ),
    tags: member(
      { type: "array", items: text },
      "The tags that flags may have. If they are listed, any other is an error.",
      ["experiment", "operations", "permanent"],
    ),
    ignore: member(
      { type: "array", items: { ...filled, maxLength: 300 } },
      "Globs of files in the flags folder that Flagstone ignores, relative to that folder.",
      ["docs/**", "*.csv"],
    ),
    require: member(
      {
        type: "array",
        items: {
          if: { type: "object" },
          // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's keyword
          then: mapping({ field: requirable, exceptTagged: { type: "array", items: text } }, [
            "field",
            "exceptTagged",
          ]),
          else: requirable,
        },
      },
      "Fields that each flag must have; with `exceptTagged`, flags with one of these tags are exempt.",
      ["owner", { field: "expires", exceptTagged: ["permanent"] }],
    ),
  },
  ["project", "environments"],
)
