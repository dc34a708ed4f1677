// Long because it is one table: what other tools' words mean here, by level.

/** The kinds of mappings, each with its own members. */
export type Level =
  | "project"
  | "flag"
  | "segment"
  | "configuration"
  | "rule"
  | "condition"
  | "split"
  | "share"
  | "range"
  | "link"
  | "requirement"

/**
 * The equivalent of another tool's member: a member with a different name, or something that is written differently.
 */
export type Translation =
  | { readonly kind: "name"; readonly name: string }
  | {
      readonly kind: "advice"
      readonly advice: string
      /** The members that this one replaces, so they are not missing. */
      readonly replaces: readonly string[]
    }

/** What is written as a member with another name. */
export const named = (name: string): Translation => ({ kind: "name", name })
/** What is written differently, in a sentence. */
export const advice = (text: string, ...replaces: readonly string[]): Translation => ({
  kind: "advice",
  advice: text,
  replaces,
})

const threeMembers = ["attribute", "operator", "value"]
/** About what is written instead of a comparison. */
const noComparison = (text: string) => advice(text, ...threeMembers)

const perEnvironment = advice(
  "Each environment has its own `enabled` and `rules`: write them under `environments` and the environment's name.",
)
const targetingOfFlag = advice(
  "Write targeting as `rules` under each environment: a list of `attribute`, `operator`, `value` and `returnValue`.",
)
const targeting = advice(
  "Write targeting as `rules`: a list of `attribute`, `operator`, `value` and `returnValue`.",
)
const share = "`share: { by: userId, to: 25 }`"
const split = "`split: { by: userId, into: [{ share: 50, returnValue: a }, { share: 50, returnValue: b }] }`"

/** The message about a default for each environment. */
export const oneDefault =
  "The flag has one `defaultValue`, at the top of the file. For a different value in one environment, write a rule with `operator: always`."

const ruleMember = advice("It belongs to a rule: write it in an item of `rules`.")
const inGroup = noComparison(
  "Write several conditions as a list under `all` (every one must match), `any` (at least one must) or `none`, and a single one as `attribute`, `operator` and `value`.",
)
const oneSegment = noComparison(
  "`segment` takes one name. Write several as items of a list under `all`, `any` or `none`, such as `- segment: staff`.",
)
const oneFlag = noComparison(
  "`flag` takes one key. Write several as items of a list under `all`, `any` or `none`, such as `- flag: new-checkout`.",
)
const noneOf = (condition: string) =>
  noComparison(`Write the opposite of a condition as an item of \`none\`: \`none: [{ ${condition} }]\`.`)
const asComment = advice("Only the flag has a name and a description. Use a comment: `# …`.")
const oneValue = advice(
  "A condition has no value of its own. Write `returnValue` once for the rule, next to `all`, `any` or `none`.",
)
const bucketing = noComparison(
  `A share of users names the attribute that picks them: write ${share} instead of \`attribute\`, \`operator\` and \`value\`.`,
)
const fileIsName = advice("The file's name, without `.segment.yaml`, is the segment's name.")
const noRules = noComparison(
  "A segment is one condition, with a description and an owner. Rules and values belong to the flags that use it.",
)
const noSplit = noComparison("A segment has no values. Write `split` in a rule, next to `segment`.")
const withSeed = noComparison(
  "A `seed` decides who falls into a share: write `share: { by: userId, to: 25, seed: checkout }` instead of `attribute`, `operator` and `value`, or `seed` in `split`.",
)
const otherFlag = noComparison(
  "A dependency on another flag is a condition in a rule: write `flag: new-checkout` instead of `attribute`, `operator` and `value`, and add `is` if the flag must give anything but `true`.",
)
const asLink = advice(
  "Write URLs as `links: [https://…]`, or with a title as `{ title: SHOP-12, url: https://… }`, and anything else as a comment.",
)
const ramp =
  "`ramp: { by: userId, stages: [{ at: 2026-12-01T09:00:00Z, share: 5 }, { at: 2026-12-02T09:00:00Z, share: 100 }] }`"
const inStages = noComparison(
  `For a share of users that grows by itself, write a rule: ${ramp}, and \`clock: now\` in project.yaml.`,
)
const byTime = noComparison(
  'Rules cannot read the clock. Send the time as an attribute such as `now`, from your code or with `--clock-attribute`, and compare it in a rule: `attribute: now`, `operator: afterOrEquals` and `value: "2026-12-01"`. A share that grows at several moments is a `ramp`, with `by` and `stages`.',
)
const ofWhole = "`defaultValue`, at the top of the file, is the flag's value if no rule matches."
const whileDisabled = advice(
  "`defaultValue`, at the top of the file, is also the flag's value while it is disabled.",
  "defaultValue",
)
const noFallthrough = advice(ofWhole, "defaultValue", "returnValue", ...threeMembers)
const splitsOrValues = advice(
  `A flag has no list of values: \`defaultValue\` and each \`returnValue\` are the values themselves. To give different values to shares of users, write a rule with ${split}.`,
  "defaultValue",
)
const splitInRule = advice(
  `To give different values to shares of users, write ${split} in a rule, instead of \`returnValue\`.`,
  ...["returnValue", ...threeMembers],
)
const ofFlag = advice("It belongs to the flag: write it at the top of the file.")
const ignoringCase = advice("Write `ignoreCase: true`; without it, case matters.")
const inShare = advice("Write it in an item of `into`: `- { share: 50, returnValue: … }`.")
const sameValue = named("returnValue")
const partOfUsers = noComparison(
  `For a share of users, write ${share} instead of \`attribute\`, \`operator\` and \`value\`, or a \`ramp\` if it grows by itself.`,
)
const partOfRule = advice(`For a share of users, write a rule: ${share}.`)
const partBelowEnvironment = advice(`For a share of users, write a rule under an environment: ${share}.`)
const holdout = advice(
  "To leave a share of users out, write a rule before the others: `share: { by: userId, to: 10, seed: holdout }`, with the value that they get.",
)
const exclusive = advice(
  "Give each flag a different part of the users of one seed: `share: { by: userId, from: 0, to: 50, seed: checkout }` in one, and `from: 50, to: 100` in the other.",
)
const oneKey = advice(
  "A flag has one key. If you rename a flag, write its old key as the `seed` of each `share` and `split`, so that users keep their values.",
)
const noStatus = advice(
  "A flag has no status: `enabled` says in which environments it is on, and `flagstone stale` lists flags that you can remove.",
)
const alwaysOn = advice("A rule is not switched on or off. Remove it, or make it a comment.")
const byAttribute = advice(`A share of users names the attribute that picks them, in a rule: ${share}.`)

type Words = Readonly<Record<string, Translation>>

/** One translation for several words, which are separated by spaces. */
function words(text: string, translation: Translation): Words {
  return Object.fromEntries(text.split(" ").map((word) => [word, translation]))
}

const valueWords = "serve variation variant result then returns"
const flagWords = words(
  "prerequisites prerequisite requires required dependson dependencies parent",
  otherFlag,
)
const seedWords = words("salt seed group bucketkey", withSeed)
const timeWords = {
  ...words("schedule schedules startdate enddate start end", byTime),
  ...words("progressive progressiverollout scheduledrollout rampschedule stages steps", inStages),
}
const splitWords = words(
  "variations variants distribution distributions allocation allocations weights",
  splitInRule,
)

/** What a rule and a condition of a group have in common. */
const ofCondition: Words = {
  ...words("op comparator comparison", named("operator")),
  ...words("attr property field contextname contextkey trait", named("attribute")),
  ...words("values operand targetvalue", named("value")),
  ...words("and allof every", named("all")),
  ...words("or anyof some", named("any")),
  ...words("not nor noneof", named("none")),
  ...words(
    "conditions condition clauses constraints if when expression targeting strategies filters",
    inGroup,
  ),
  segments: oneSegment,
  ...words("insegment segmentmatch audience cohort usersegment", named("segment")),
  ...words("bucketby hashattribute stickiness unit", bucketing),
  ...seedWords,
  ...words("groupid namespace", withSeed),
  ...flagWords,
  flags: oneFlag,
  ...words("notsegment excludesegment excludedsegment", noneOf("segment: staff")),
  ...words("notflag isnot", noneOf("flag: new-checkout")),
  casesensitive: advice("Case matters unless you write `ignoreCase: true`."),
  caseinsensitive: ignoringCase,
  ...words("percentage rollout rollouts traffic weight by", partOfUsers),
  ...words("name note comment description title", asComment),
}

/** Other tools' members by level, then by name in lower case without `_`, `-` and spaces. */
const translations: Readonly<Record<Level, Words>> = {
  project: words("name key projectname", named("project")),
  flag: {
    ...words("default fallback", named("defaultValue")),
    ...words("title label", named("name")),
    summary: named("description"),
    ...words("kind valuetype flagtype", named("type")),
    ...words("team maintainer", named("owner")),
    labels: named("tags"),
    ...words("expiry expiresat expireson removeby removeon removeafter sunset", named("expires")),
    ...words("env envs environment", named("environments")),
    ...words("holdout holdouts", holdout),
    ...words("mutuallyexclusive exclusiongroup exclusivegroup exclusive", exclusive),
    ...words("alias aliases previouskey previouskeys", oneKey),
    ...words("status lifecycle archived permanent temporary", noStatus),
    ...words("variations variants values variation defaultvariant defaultvariation", splitsOrValues),
    ...words("else otherwise fallthrough fallthroughvariation", noFallthrough),
    ...words("offvalue offvariation", whileDisabled),
    ...timeWords,
    ...seedWords,
    ...words("enabled rules on active state enable isenabled", perEnvironment),
    ...words("targeting strategies targets filters conditions segments segment", targetingOfFlag),
    ...words("attribute operator returnvalue all any none", targetingOfFlag),
    ...words("ticket tickets jira issue issues url link metadata meta documentation docs", asLink),
    ...flagWords,
    ...words("rollout rollouts percentage traffic trafficallocation", partBelowEnvironment),
    bucketby: byAttribute,
  },
  segment: {
    ...withoutComments(ofCondition),
    ...words("name key id", fileIsName),
    ...words("title summary note", named("description")),
    ...words("team maintainer", named("owner")),
    ...words("rules environments returnvalue defaultvalue type enabled", noRules),
    ...words("included excluded", inGroup),
    split: noSplit,
  },
  configuration: {
    ...words("on active state enable isenabled", named("enabled")),
    ...flagWords,
    ...words("targeting strategies targets filters conditions segments", targeting),
    ...words("segment split share flag attribute operator returnvalue value all any none", ruleMember),
    ...words("default defaultvalue fallthrough variation else otherwise", advice(oneDefault)),
    ...words("offvalue offvariation", whileDisabled),
    ...timeWords,
    ...seedWords,
    ...words("rollout rollouts percentage traffic trafficallocation", partOfRule),
    ...words("holdout holdouts", holdout),
    ...words("mutuallyexclusive exclusiongroup exclusivegroup exclusive", exclusive),
    bucketby: byAttribute,
    ...splitWords,
    ...words("name description owner tags type expires links title", ofFlag),
  },
  rule: {
    ...ofCondition,
    ...splitWords,
    ...timeWords,
    ...words(`${valueWords} return outcome serves`, sameValue),
    ...words("else otherwise", noFallthrough),
    ...words("enabled disabled active on", alwaysOn),
    ...words("holdout holdouts", holdout),
  },
  split: {
    ...words("attribute on bucketby hashattribute key unit stickiness", named("by")),
    ...words("shares variations variants values weights percentages buckets", named("into")),
    ...words("salt group groupid bucketkey namespace", named("seed")),
    ...words("returnvalue value share", inShare),
    ...words("holdout holdouts", holdout),
  },
  share: {
    ...words(
      "name key note comment description title",
      advice("The `returnValue` names a share. Use a comment for anything else: `# …`."),
    ),
    ...words("weight percentage percent rollout", named("share")),
    ...words(`${valueWords} value return outcome`, sameValue),
    id: advice("Write `id` next to `split`: the rules of its shares get it with `-1`, `-2` and so on."),
  },
  range: {
    ...words("attribute bucketby hashattribute unit stickiness key on", named("by")),
    ...words("percent percentage weight share rollout value end until", named("to")),
    ...words("start begin", named("from")),
    ...words("salt group groupid bucketkey namespace", named("seed")),
  },
  requirement: { member: named("field") },
  link: {
    ...words("name label text", named("title")),
    ...words("href address link", named("url")),
  },
  condition: {
    split: noComparison("A split is not a condition. Write `split` next to `all`, `any` or `none`."),
    ...ofCondition,
    ...words(`returnvalue ${valueWords}`, oneValue),
    id: advice("Only a rule has an id: write it next to `returnValue`."),
  },
}

function withoutComments(all: Words): Words {
  return Object.fromEntries(Object.entries(all).filter(([, translation]) => translation !== asComment))
}

/** What a word of another tool means at a level; `undefined` if no tool has it. */
export function translate(level: Level, word: string): Translation | undefined {
  const known = translations[level]
  const plain = word.toLowerCase().replace(/[_\- ]/g, "")
  if (level === "flag" && /^x[-_]/i.test(word)) return asLink
  return Object.hasOwn(known, plain) ? known[plain] : undefined
}
