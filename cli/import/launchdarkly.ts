import { hash } from "node:crypto"
import { sameValue } from "../compile/meaning/canonical-json.ts"
import { Failure } from "../failure.ts"
import { all, always, type Condition, none } from "../language/condition.ts"
import { phrase } from "../phrases/phrase.ts"
import { isOneOf } from "./form/compare.ts"
import {
  type Configuration,
  disabledRules,
  type Found,
  type Guard,
  type Imported,
  missingPrerequisite,
  neverMet,
  type Outcome,
  type Remark,
  toCaller,
  toValue,
} from "./form/form.ts"
import { groupFlags } from "./form/group-flags.ts"
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
import { addKindLosses, attributeOf, createClauses } from "./launchdarkly-clauses.ts"
import { launchDarklyMeaning } from "./meaning/launchdarkly.ts"
import { splitOf } from "./shares.ts"
import {
  archivedIn,
  flagsIn,
  type LaunchDarklyFlag,
  type LaunchDarklyScope,
  segmentsIn,
} from "./sources/launchdarkly.ts"

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
  const archived = new Set(documents.flatMap(archivedIn).map((flag) => textOf(at(flag, "key")) ?? ""))
  const readers = new Map(
    [...Map.groupBy(sources, ({ environment }) => environment)].map(([environment, own]) => {
      const here = documents.filter((root) => environmentOf(root) === environment)
      const flags = new Map(own.map((one) => [one.key, one]))
      const scope = { archived, flags, segments: new Map(here.flatMap(segmentsIn)), knownValues }
      return [environment, createReader(scope, environment, remarks)]
    }),
  )
  const found = sources.map((one): Found => {
    const { key, environment, about, variations } = one
    return {
      key,
      configuration: readers.get(environment)?.configuration(one) as Configuration,
      about: () => ({
        name: textOf(at(about, "name")),
        description: textOf(at(about, "description")),
        tags: textsOf(at(about, "tags")),
        owner: textOf(at(about, "_maintainer", "email")),
        variations: variations.map((node) => [
          textOf(at(node.parent, "name")) ?? scalarText(node) ?? "",
          jsonOf(node),
        ]),
      }),
    }
  })
  const segments = [...readers.values()].flatMap(({ segments }) => segments)
  return { flags: groupFlags(found), segments, remarks }
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

    const missing = (name: string) =>
      scope.archived.has(name)
        ? phrase`it depends on ${name}, which is archived in LaunchDarkly`
        : missingPrerequisite(name)

    /** A flag that is off does not meet a prerequisite, whatever it returns. */
    function prerequisite(node: Node): Guard {
      const name = textOf(at(node, "key")) ?? ""
      const parent = scope.flags.get(name)
      const values = parent?.variations.map(jsonOf) ?? []
      const wanted = values[numberOf(at(node, "variation")) ?? -1]
      const same = values.filter((value) => sameValue(value, wanted))
      if (parent === undefined) addLoss("import-prerequisite-missing", node, missing(name))
      else if (same.length > 1)
        addLoss("import-prerequisite", node, phrase`another variation of ${name} has the same value`)
      const offValue = values[numberOf(at(parent?.config, "offVariation")) ?? -1]
      const isOff =
        !isTrue(at(parent?.config, "on")) && (offValue === undefined || sameValue(offValue, wanted))
      if (wanted !== undefined && !isOff) {
        const use: Condition = { kind: "flag", key: name, environment, is: wanted, means: undefined }
        return { when: none(use), gives: off, node }
      }
      if (parent !== undefined) remarks.push(neverMet(node, key, name, environment))
      return { when: always, gives: off, node }
    }

    function targets(): readonly Guard[] {
      const seen = new Set<string>()
      return flag.targets.map((node): Guard => {
        const values = textsOf(at(node, "values"))
        const text = "a user is targeted twice, and the first target counts"
        for (const value of values)
          if (seen.size === seen.add(value).size)
            remarks.push({ node, flag: key, environment, text, detail: phrase`${value}` })
        return { when: isOneOf("key", values), gives: give(at(node, "variation"), node), node }
      })
    }

    const ruled = (rule: Node) =>
      given(all(...items(at(rule, "clauses")).map((one) => clause(one, addLoss))), rule)

    /** A variation, or shares; contexts without the attribute get the first one. */
    function given(when: Condition, node: Node): readonly Guard[] {
      const rollout = at(node, "rollout")
      if (at(node, "variation") !== undefined || rollout === undefined)
        return [{ when, gives: give(at(node, "variation") ?? node, node), node }]
      const shares = items(at(rollout, "variations"))
      const weights = shares.map((one) => numberOf(at(one, "weight")) ?? 0)
      const sum = weights.reduce((sum, weight) => sum + weight, 0)
      if (shares.length === 0) addLoss("import-malformed", rollout, phrase`a rollout without variations`)
      if (sum > 100_000) addLoss("import-malformed", rollout, phrase`weights of more than 100 %`)
      const text = "weights add up to less than 100 %, and the last variation gets the rest"
      if (sum < 100_000)
        remarks.push({ node: rollout, flag: key, environment, text, detail: phrase`${sum / 1000} %` })
      const weighted = shares.map((one, index) => ({
        weight: (weights[index] ?? 0) + (index === shares.length - 1 ? 100_000 - sum : 0),
        gives: give(at(one, "variation"), one),
      }))
      const bucketBy = textOf(at(rollout, "kind")) === "experiment" ? undefined : at(rollout, "bucketBy")
      const by = bucketBy === undefined ? "key" : attributeOf(bucketBy, at(rollout, "contextKind"), addLoss)
      const gives = splitOf(by, scalarText(at(rollout, "seed")), weighted)
      if (gives.kind !== "split") return [{ when, gives, node }]
      addLoss("import-share-redealt", rollout, phrase`shares by ${by}`)
      const first = toValue(gives.into[0]?.value ?? null)
      return [{ when, gives, node }, ...(by === "key" ? [] : [{ when, gives: first, node, isImplied: true }])]
    }

    addKindLosses(config, addLoss)
    remarks.push(...disabledRules(flag.disabled, key, environment))
    const off = give(at(config, "offVariation"), config)
    const fallthrough = at(config, "fallthrough")
    if (fallthrough === undefined) addLoss("import-malformed", config, phrase`no ${"fallthrough"}`)
    const guards = [
      ...items(at(config, "prerequisites")).map(prerequisite),
      ...targets(),
      ...flag.rules.flatMap(ruled),
      ...(fallthrough === undefined ? [] : given(always, fallthrough)),
    ]
    const enabled = isTrue(at(config, "on"))
    if (off.kind === "caller" && (!enabled || guards.some(({ gives }) => gives === off)))
      addLoss("import-caller-default", config, phrase`when off, it returns the caller's default`)
    return { ...base, enabled, guards, otherwise: enabled ? toCaller : off, off }
  }

  return { configuration, segments }
}
