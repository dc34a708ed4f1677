import { environmentNamePattern } from "../../../proxy/contract/environment-name.ts"
import { attributeTypes } from "./known-attributes.ts"
import { operatorPattern, projectNamePattern, staleAfterPattern } from "./names.ts"
import { filled, id, mapping, member, text } from "./schema-parts.ts"

/** What the project file says of an attribute. */
const attribute = mapping({
  type: member(
    { enum: attributeTypes },
    "What the attribute is. An operator that does not fit is an error.",
    "text",
  ),
  description: member(text, "Explains the attribute to authors of rules.", "ISO 3166 code"),
  values: member({ type: "array", minItems: 1, items: text }, "The only values it can have.", [
    "free",
    "pro",
  ]),
})

/** How long nothing changes. */
const staleAfter = { type: "string", pattern: staleAfterPattern.source } as const

/** The members of a flag that a project can require. */
const requirable = { enum: ["name", "description", "type", "owner", "tags", "expires"] } as const

/**
 * The shape of the project file. Editors show what a member is for; `additional` members are those whose names the author
 * chooses.
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
      "The environments whose changes need the most care: `flagstone diff` lists them first.",
      ["production"],
    ),
    diff: member(
      mapping({
        manyChange: member(
          { type: "number" },
          "The most users, in percent, that may get another value at once without a warning.",
          50,
        ),
      }),
      "When `flagstone diff` warns.",
      { manyChange: 25 },
    ),
    stale: member(
      mapping({
        after: member(staleAfter, "How long a flag must be unchanged to be stale. By default, 30d.", "60d"),
        byTag: member(
          {
            type: "object",
            additionalProperties: member(staleAfter, "The same for flags with this tag.", "14d", "never"),
          },
          "The same for flags with a tag; of several the longest. Flags with `permanent` are never stale.",
          { experiment: "14d", operations: "never" },
        ),
      }),
      "When `flagstone stale` names a flag.",
      { after: "60d", byTag: { experiment: "14d" } },
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
      ["checkout", "permanent"],
    ),
    ignore: member(
      { type: "array", items: { ...filled, maxLength: 300 } },
      "Globs of files below the flags folder that Flagstone ignores, as paths from that folder.",
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
