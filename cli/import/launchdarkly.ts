import { hash } from "node:crypto"
import { phrase } from "../diagnostics/phrase.ts"
import { Failure } from "../failure.ts"
import { all, always } from "../language/condition.ts"
import {
  type Configuration,
  disabledRules,
  type Found,
  type Imported,
  type Outcome,
  type Remark,
  toCaller,
  toValue,
} from "./form/form.ts"
import { gather } from "./form/gather.ts"
import { collectLosses } from "./form/losses.ts"
import { environmentOf, type ReadOptions, type Tool } from "./form/tool.ts"
import {
  at,
  isTrue,
  items,
  jsonOf,
  members,
  type Node,
  nameOf,
  numberOf,
  scalarText,
  textOf,
  textsOf,
} from "./form/tree.ts"
import { addKindLosses, createClauses } from "./launchdarkly-clauses.ts"
import { given, prerequisite, targets } from "./launchdarkly-rules.ts"
import { launchDarklyMeaning } from "./meaning/launchdarkly.ts"
import { flagsIn, type LaunchDarklyFlag, type LaunchDarklyScope, segmentsIn } from "./sources/launchdarkly.ts"

/** REST lists of flags and of segments, SDK payloads, `flagdata.json`. Meaning: launchdarkly/go-server-sdk-evaluation 8394e84. */
export const launchDarkly: Tool = {
  title: "LaunchDarkly",
  contexts: "any",
  comparesItems: true,
  required: ["key"],
  recognizes: (root) =>
    [...items(at(root, "items")), ...items(root)].some(
      (one) =>
        at(one, "included") ?? at(one, "unbounded") ?? (at(one, "environments") && at(one, "variations")),
    ) ||
    at(root, "flagValues") !== undefined ||
    members(at(root, "flags") ?? at(root, "data", "flags")).some(([, flag]) => at(flag, "fallthrough")),
  read,
  hash: (seed, text) => Number.parseInt(hash("sha1", `${seed}.${text}`).slice(0, 15), 16) / 2 ** 60,
}

function read(documents: readonly Node[], { knownValues }: ReadOptions): Imported {
  refuseIncomplete(documents)
  const remarks: Remark[] = []
  const sources = documents.flatMap((root) => flagsIn(root, remarks))
  const parts = [...Map.groupBy(sources, ({ environment }) => environment)].map(([environment, own]) => {
    const here = documents.filter((root) => environmentOf(root) === environment)
    const flags = new Map(own.map((one) => [one.key, one]))
    const scope = { flags, segments: new Map(here.flatMap(segmentsIn)), knownValues }
    const { configuration, segments } = createReader(scope, environment, remarks)
    const found = own.map((one): Found => {
      return { key: one.key, configuration: configuration(one), about: () => aboutOf(one) }
    })
    return { found, segments }
  })
  remarks.push(...oddFlags(sources))
  return { ...gather(parts), remarks }
}

function aboutOf({ about, variations }: LaunchDarklyFlag): ReturnType<Found["about"]> {
  return {
    name: textOf(at(about, "name")),
    description: textOf(at(about, "description")),
    tags: textsOf(at(about, "tags")),
    owner: textOf(at(about, "_maintainer", "email")),
    variations: variations.map((node) => [
      textOf(at(node.parent, "name")) ?? scalarText(node) ?? "",
      jsonOf(node),
    ]),
  }
}

/** Remarks on each flag that LaunchDarkly calls temporary, without a date, and on each that it keeps from browsers. */
function oddFlags(sources: readonly LaunchDarklyFlag[]): readonly Remark[] {
  const flags = [...new Map(sources.map(({ key, about }) => [key, about]))]
  const remarksOn = (text: string, isOdd: (about: Node) => boolean) =>
    flags.filter(([, about]) => isOdd(about)).map(([flag, node]) => ({ node, flag, text }))
  return [
    ...remarksOn(
      "it is temporary there: give it a date, as in `expires: 2027-06-30`, from which lint reports it",
      (about) => isTrue(at(about, "temporary")),
    ),
    ...remarksOn(
      "browsers do not get it there: name the flags that a key for browsers may evaluate, with `keys create --flags`",
      (about) => at(about, "clientSideAvailability", "usingEnvironmentId")?.value === false,
    ),
  ]
}

/** Throws `Failure` if the files lack rules, or have fewer flags than the API's `totalCount`. */
function refuseIncomplete(documents: readonly Node[]): void {
  const pages = documents.filter((root) => items(at(root, "items")).some((one) => at(one, "environments")))
  const flags = pages.flatMap((root) => items(at(root, "items")))
  const configs = flags.flatMap((flag) => members(at(flag, "environments")))
  const [, summary] = configs.find(([, one]) => at(one, "_summary") && !at(one, "fallthrough")) ?? []
  if (summary !== undefined)
    throw new Failure(
      `${nameOf(summary.file)} has only summaries of flags, without their rules: fetch them with \`summary=0\``,
    )
  const keys = new Set(flags.map((one) => textOf(at(one, "key"))))
  const all = Math.max(0, ...pages.map((root) => numberOf(at(root, "totalCount")) ?? 0))
  if (keys.size < all)
    throw new Failure(`the files have only ${keys.size} of ${all} flags: fetch the other pages`)
}

function createReader(scope: LaunchDarklyScope, environment: string, remarks: Remark[]) {
  const { clause, segments } = createClauses(scope, environment)

  function configuration(flag: LaunchDarklyFlag): Configuration {
    const { config, key, variations } = flag
    const { losses, addLoss } = collectLosses()
    const base = { environment, node: config, meaning: launchDarklyMeaning(flag, scope), losses }
    if (variations[0] === config)
      return { ...base, enabled: true, guards: [], otherwise: toValue(jsonOf(config)), off: undefined }

    const give = (index: Node | undefined, node: Node): Outcome => {
      if (index === undefined) return toCaller
      const variation = variations[typeof index.value === "number" ? index.value : -1]
      if (variation !== undefined) return toValue(jsonOf(variation))
      addLoss("import-malformed", node, phrase`a variation that the flag does not have`)
      return toCaller
    }

    const reading = { flag, scope, environment, remarks, addLoss, give }
    const ruled = (rule: Node) =>
      given(reading, all(...items(at(rule, "clauses")).map((one) => clause(one, addLoss))), rule)
    addKindLosses(config, addLoss)
    remarks.push(...disabledRules(flag.disabled, key, environment))
    const off = give(at(config, "offVariation"), config)
    const fallthrough = at(config, "fallthrough")
    if (fallthrough === undefined) addLoss("import-malformed", config, phrase`no ${"fallthrough"}`)
    const guards = [
      ...items(at(config, "prerequisites")).map((node) => prerequisite(reading, node, off)),
      ...targets(reading),
      ...flag.rules.flatMap(ruled),
      ...(fallthrough === undefined ? [] : given(reading, always, fallthrough)),
    ]
    const enabled = isTrue(at(config, "on"))
    if (off.kind === "caller" && (!enabled || guards.some(({ gives }) => gives === off)))
      addLoss("import-caller-default", config, phrase`when off, it returns the caller's default`)
    return { ...base, enabled, guards, otherwise: enabled ? toCaller : off, off }
  }

  return { configuration, segments }
}
