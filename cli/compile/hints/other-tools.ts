/** The mappings whose members have names of their own. */
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

/** What a member of another tool is here: a member with another name, or something that is written differently. */
export type Translation =
  | { readonly kind: "name"; readonly name: string }
  | {
      readonly kind: "advice"
      readonly advice: string
      /** The members that are not missing while this one stands for them. */
      readonly replaces: readonly string[]
    }

const named = (name: string): Translation => ({ kind: "name", name })
const advice = (text: string, ...replaces: readonly string[]): Translation => ({
  kind: "advice",
  advice: text,
  replaces,
})

const perEnvironment = advice(
  "Each environment has its own `enabled` and `rules`: write them below `environments` and the environment's name.",
)
const targetingOfFlag = advice(
  "Targeting is written as `rules` below each environment: a list of `attribute`, `operator`, `value` and `returnValue`.",
)
const targeting = advice(
  "Targeting is written as `rules`: a list of `attribute`, `operator`, `value` and `returnValue`.",
)
const share = '`attribute: userId`, `operator: percentage` and `value: "25"`'
const noVariations = advice(
  "A flag has no list of values: `defaultValue` and the `returnValue` of each rule are the values themselves.",
  "defaultValue",
)
const oneDefault = advice(
  "The flag has one `defaultValue`, at the top of the file. For another value in one environment, write a rule with `operator: always`.",
)
const ruleMember = advice("It belongs to a rule: write it in an item of `rules`.")
const inGroup = advice(
  "Write several conditions as a list below `all` (every one holds), `any` (at least one does) or `none`, and a single one as `attribute`, `operator` and `value`.",
  ...["attribute", "operator", "value"],
)
const oneSegment = advice(
  "Write `segment` with one name. Several are items of a list below `all`, `any` or `none`, such as `- segment: staff`.",
  ...["attribute", "operator", "value"],
)
const asComment = advice("Only the flag has a name and a description. Write a comment: `# …`.")
const oneValue = advice(
  "A condition gives no value of its own. Write `returnValue` once for the rule, beside `all`, `any` or `none`.",
)
const bucketing = advice(
  "`percentage` goes by the rule's `attribute`: name it there, such as `attribute: userId`.",
  "attribute",
)
const fileIsName = advice("The file's name, without `.segment.yaml`, is the segment's name.")
const noRules = advice(
  "A segment is one condition, with a description and an owner. Rules and values belong to the flags that use it.",
  ...["attribute", "operator", "value"],
)
const noSplit = advice(
  "A segment says who; what they get is a flag's. Write `split` in a rule, beside `segment`.",
  ...["attribute", "operator", "value"],
)
const withSeed = advice(
  "Who falls into a share is dealt by a `seed`: write `share: { by: userId, to: 25, seed: checkout }` in place of `attribute`, `operator` and `value`, or `seed` in `split`.",
)
const otherFlag = advice(
  "What depends on another flag is a condition: `flag: new-checkout`, with `is` and a value where that is not `true`. It stands in a rule, in place of `attribute`, `operator` and `value`.",
  ...["attribute", "operator", "value"],
)
const asLink = advice(
  "Write addresses for people as `links: [https://…]`, or with a title as `{ title: SHOP-12, url: https://… }`, and anything else as a comment.",
)
const byTime = advice(
  'Flagstone has no clock: your code sends the time as an attribute, such as `now`, and a rule asks `attribute: now`, `operator: afterOrEquals` and `value: "2026-12-01"`.',
)
const ofWhole = "What a flag gives where no rule matches is `defaultValue`, at the top of the file."
const noFallthrough = advice(ofWhole, "defaultValue")
const splitsOrValues = advice(
  "A flag has no list of values: `defaultValue` and each `returnValue` are the values themselves. Several values for shares of people are a rule with `split: { by: userId, into: [{ share: 50, returnValue: a }, { share: 50, returnValue: b }] }`.",
  "defaultValue",
)
const ignoringCase = advice("Write `ignoreCase: true`; without it capitals are other letters.")
const inShare = advice("Write it in an item of `into`: `- { share: 50, returnValue: … }`.")
const sameValue = named("returnValue")
const partOfUsers = advice(`A share of users is ${share}.`, "attribute", "operator", "value")

/** What a rule and a condition of a group have in common. */
const ofCondition: Readonly<Record<string, Translation>> = {
  ...{ op: named("operator"), comparator: named("operator"), comparison: named("operator") },
  ...{ attr: named("attribute"), property: named("attribute"), field: named("attribute") },
  ...{ contextname: named("attribute"), contextkey: named("attribute"), trait: named("attribute") },
  ...{ values: named("value"), operand: named("value"), targetvalue: named("value") },
  ...{ and: named("all"), allof: named("all"), every: named("all") },
  ...{ or: named("any"), anyof: named("any"), some: named("any") },
  ...{ not: named("none"), nor: named("none"), noneof: named("none") },
  ...{ conditions: inGroup, condition: inGroup, clauses: inGroup, constraints: inGroup },
  ...{ if: inGroup, when: inGroup, expression: inGroup },
  ...{ targeting: inGroup, strategies: inGroup, filters: inGroup },
  ...{ segments: oneSegment, insegment: named("segment"), segmentmatch: named("segment") },
  ...{ audience: named("segment"), cohort: named("segment"), usersegment: named("segment") },
  ...{ bucketby: bucketing, hashattribute: bucketing, stickiness: bucketing, unit: bucketing },
  ...{ seed: withSeed, salt: withSeed, group: withSeed, groupid: withSeed, bucketkey: withSeed },
  ...{ prerequisites: otherFlag, prerequisite: otherFlag, requires: otherFlag, required: otherFlag },
  ...{ dependson: otherFlag, dependencies: otherFlag, parent: otherFlag },
  ...{ namespace: withSeed, casesensitive: ignoringCase, caseinsensitive: ignoringCase },
  ...{ percentage: partOfUsers, rollout: partOfUsers, weight: partOfUsers },
  ...{ name: asComment, note: asComment, comment: asComment, description: asComment, title: asComment },
}

/** Members of other tools by level, by their names in small letters without `_`, `-` and spaces. */
const translations: Readonly<Record<Level, Readonly<Record<string, Translation>>>> = {
  project: { name: named("project"), key: named("project"), projectname: named("project") },
  flag: {
    ...{ default: named("defaultValue"), fallback: named("defaultValue"), offvalue: named("defaultValue") },
    ...{ title: named("name"), label: named("name"), summary: named("description") },
    ...{ kind: named("type"), valuetype: named("type"), flagtype: named("type") },
    ...{ team: named("owner"), maintainer: named("owner"), labels: named("tags") },
    ...{ expiry: named("expires"), expiresat: named("expires"), expireson: named("expires") },
    ...{ variations: splitsOrValues, variants: splitsOrValues, values: noVariations },
    ...{ else: noFallthrough, otherwise: noFallthrough, fallthrough: noFallthrough },
    ...{ offvariation: noFallthrough, fallthroughvariation: noFallthrough },
    ...{ schedule: byTime, schedules: byTime, startdate: byTime, enddate: byTime },
    ...{ salt: withSeed, seed: withSeed, group: withSeed, bucketkey: withSeed },
    ...{ variation: noVariations, defaultvariant: noVariations, defaultvariation: noVariations },
    ...{ enabled: perEnvironment, rules: perEnvironment, on: perEnvironment, active: perEnvironment },
    ...{ state: perEnvironment, enable: perEnvironment, isenabled: perEnvironment },
    ...{ targeting: targetingOfFlag, strategies: targetingOfFlag, targets: targetingOfFlag },
    ...{ filters: targetingOfFlag, conditions: targetingOfFlag, segments: targetingOfFlag },
    segment: targetingOfFlag,
    ...{ ticket: asLink, jira: asLink, issue: asLink, url: asLink, link: asLink, metadata: asLink },
    ...{ meta: asLink, documentation: asLink, docs: asLink, issues: asLink, tickets: asLink },
    ...{ prerequisites: otherFlag, prerequisite: otherFlag, requires: otherFlag, required: otherFlag },
    ...{ dependson: otherFlag, dependencies: otherFlag, parent: otherFlag },
    ...{ attribute: targetingOfFlag, operator: targetingOfFlag, returnvalue: targetingOfFlag },
    ...{ all: targetingOfFlag, any: targetingOfFlag, none: targetingOfFlag },
    ...{ rollout: advice(`A share of users is a rule below an environment: ${share}.`) },
    ...{ percentage: advice(`A share of users is a rule below an environment: ${share}.`) },
    bucketby: advice("A rule with `operator: percentage` goes by its own `attribute`, such as `userId`."),
  },
  segment: {
    ...withoutComments(ofCondition),
    ...{ name: fileIsName, key: fileIsName, id: fileIsName },
    ...{ title: named("description"), summary: named("description"), note: named("description") },
    ...{ team: named("owner"), maintainer: named("owner") },
    ...{ rules: noRules, environments: noRules, returnvalue: noRules, defaultvalue: noRules, type: noRules },
    ...{ enabled: noRules, included: inGroup, excluded: inGroup, split: noSplit },
  },
  configuration: {
    ...{ on: named("enabled"), active: named("enabled"), state: named("enabled"), enable: named("enabled") },
    isenabled: named("enabled"),
    ...{ prerequisites: otherFlag, prerequisite: otherFlag, requires: otherFlag, required: otherFlag },
    ...{ dependson: otherFlag, dependencies: otherFlag, parent: otherFlag },
    ...{ targeting, strategies: targeting, targets: targeting, filters: targeting, conditions: targeting },
    ...{ segments: targeting, segment: ruleMember, split: ruleMember },
    ...{ attribute: ruleMember, operator: ruleMember, returnvalue: ruleMember, value: ruleMember },
    ...{ all: ruleMember, any: ruleMember, none: ruleMember },
    ...{ default: oneDefault, defaultvalue: oneDefault, fallthrough: oneDefault, variation: oneDefault },
    ...{ else: oneDefault, otherwise: oneDefault, offvariation: oneDefault },
    ...{ schedule: byTime, schedules: byTime, startdate: byTime, enddate: byTime },
    ...{ salt: withSeed, seed: withSeed, group: withSeed, bucketkey: withSeed },
    ...{ rollout: advice(`A share of users is a rule: ${share}.`) },
    ...{ percentage: advice(`A share of users is a rule: ${share}.`) },
    bucketby: advice("A rule with `operator: percentage` goes by its own `attribute`, such as `userId`."),
  },
  rule: {
    ...ofCondition,
    ...{ serve: sameValue, variation: sameValue, variant: sameValue, result: sameValue, return: sameValue },
    ...{ outcome: sameValue, serves: sameValue, schedule: byTime, start: byTime, end: byTime },
    ...{ else: noFallthrough, otherwise: noFallthrough },
  },
  split: {
    ...{ attribute: named("by"), on: named("by"), bucketby: named("by"), hashattribute: named("by") },
    ...{ key: named("by"), unit: named("by"), stickiness: named("by") },
    ...{ shares: named("into"), variations: named("into"), variants: named("into"), values: named("into") },
    ...{ weights: named("into"), percentages: named("into"), buckets: named("into") },
    ...{ salt: named("seed"), group: named("seed"), groupid: named("seed"), bucketkey: named("seed") },
    namespace: named("seed"),
    ...{ returnvalue: inShare, value: inShare, share: inShare },
  },
  share: {
    ...{
      weight: named("share"),
      percentage: named("share"),
      percent: named("share"),
      rollout: named("share"),
    },
    ...{ value: sameValue, serve: sameValue, variation: sameValue, variant: sameValue, result: sameValue },
    ...{ return: sameValue, outcome: sameValue },
    id: advice("Write `id` beside `split`: the rules of its shares get it with `-1`, `-2` and so on."),
  },
  range: {
    ...{ attribute: named("by"), bucketby: named("by"), hashattribute: named("by"), unit: named("by") },
    ...{ stickiness: named("by"), key: named("by"), on: named("by") },
    ...{ percent: named("to"), percentage: named("to"), weight: named("to"), share: named("to") },
    ...{ rollout: named("to"), value: named("to"), end: named("to"), until: named("to") },
    ...{ start: named("from"), begin: named("from"), salt: named("seed"), group: named("seed") },
    ...{ groupid: named("seed"), bucketkey: named("seed"), namespace: named("seed") },
  },
  condition: {
    split: advice(
      "A split is no condition. Write `split` beside `all`, `any` or `none`, whose people it splits.",
      ...["attribute", "operator", "value"],
    ),
    ...ofCondition,
    ...{ returnvalue: oneValue, serve: oneValue, variation: oneValue, variant: oneValue, result: oneValue },
    id: advice("Only a rule has an id: write it beside `returnValue`."),
  },
}

function withoutComments(words: Readonly<Record<string, Translation>>) {
  return Object.fromEntries(Object.entries(words).filter(([, translation]) => translation !== asComment))
}

/** What a word of another tool is at a level; `undefined` where it is not such a word. */
export function translate(level: Level, word: string): Translation | undefined {
  const known = translations[level]
  const plain = word.toLowerCase().replace(/[_\- ]/g, "")
  if (level === "flag" && /^x[-_]/i.test(word)) return asLink
  return Object.hasOwn(known, plain) ? known[plain] : undefined
}
