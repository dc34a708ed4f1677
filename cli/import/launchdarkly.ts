import { hash } from "node:crypto"
import { sameValue } from "../compile/meaning/canonical-json.ts"
import {
  all,
  always,
  type Condition,
  type Configuration,
  compare,
  type Guard,
  type Imported,
  type ImportedFlag,
  isNever,
  missingPrerequisite,
  never,
  neverMet,
  none,
  type Outcome,
  type Remark,
  toCaller,
  toValue,
} from "./form/form.ts"
import { collectLosses, type Lose } from "./form/losses.ts"
import { environmentOf, type ReadOptions, type Tool } from "./form/tool.ts"
import {
  at,
  isTrue,
  items,
  jsonOf,
  members,
  type Node,
  numberOf,
  scalarText,
  textOf,
  textsOf,
} from "./form/tree.ts"
import { attributeOf, type Clauses, createClauses } from "./launchdarkly-clauses.ts"
import { launchDarklyMeaning } from "./meaning/launchdarkly.ts"
import { flagsIn, type LaunchDarklyFlag, type LaunchDarklyScope, segmentsIn } from "./sources/launchdarkly.ts"

/** REST lists of flags and of segments, SDK payloads, `flagdata.json`. Meaning: launchdarkly/go-server-sdk-evaluation 8394e84. */
export const launchDarkly: Tool = {
  title: "LaunchDarkly",
  contexts: "any",
  required: ["key"],
  recognizes: (root) =>
    [...items(at(root, "items")), ...items(root)].some(
      (one) => (at(one, "environments") && at(one, "variations")) || at(one, "included"),
    ) ||
    at(root, "flagValues") !== undefined ||
    members(at(root, "flags") ?? at(root, "data", "flags")).some(([, flag]) => at(flag, "fallthrough")),
  read,
  hash: (seed, text) => Number.parseInt(hash("sha1", `${seed}.${text}`).slice(0, 15), 16) / 2 ** 60,
}

function read(documents: readonly Node[], { knownValues }: ReadOptions): Imported {
  const remarks: Remark[] = []
  const sources = documents.flatMap((root) => flagsIn(root, remarks))
  const scopes = new Map<
    string,
    { flags: Map<string, LaunchDarklyFlag>; segments: Map<string, Node>; knownValues: typeof knownValues }
  >()
  const scopeOf = (environment: string) => {
    const scope = scopes.get(environment) ?? { flags: new Map(), segments: new Map(), knownValues }
    scopes.set(environment, scope)
    return scope
  }
  for (const one of sources) scopeOf(one.environment).flags.set(one.key, one)
  for (const root of documents)
    for (const [key, segment] of segmentsIn(root)) scopeOf(environmentOf(root)).segments.set(key, segment)
  const clauses = new Map([...scopes].map(([name, scope]) => [name, createClauses(scope, name, remarks)]))
  const readers = new Map(
    [...scopes].map(([name, scope]) => [name, createReader(scope, clauses.get(name), remarks)]),
  )
  const flags = [...Map.groupBy(sources, ({ key }) => key)].map(([key, own]): ImportedFlag => {
    const about = own[0]?.about
    return {
      key,
      name: textOf(at(about, "name")),
      description: textOf(at(about, "description")),
      tags: textsOf(at(about, "tags")),
      owner: textOf(at(about, "_maintainer", "email")),
      variations: (own[0]?.variations ?? []).map((node) => [
        textOf(at(node.parent, "name")) ?? scalarText(node) ?? "",
        jsonOf(node),
      ]),
      configurations: own.flatMap((one) => readers.get(one.environment)?.(one) ?? []),
    }
  })
  return { flags, segments: [...clauses.values()].flatMap(({ segments }) => segments), remarks }
}

function createReader(scope: LaunchDarklyScope, clauses: Clauses | undefined, remarks: Remark[]) {
  function configuration(flag: LaunchDarklyFlag): Configuration {
    const { config, environment } = flag
    const { losses, lose } = collectLosses()
    const meaning = launchDarklyMeaning(flag, scope)
    const base = { environment, node: config, meaning, losses }
    const [only] = flag.variations
    if (only === config)
      return { ...base, enabled: true, guards: [], otherwise: toValue(jsonOf(config)), off: undefined }
    const off = outcomeOf(flag, at(config, "offVariation"), config, lose)
    const guards = [
      ...prerequisites(flag, off, lose),
      ...targets(flag, lose),
      ...items(at(config, "rules")).flatMap((rule) => rules(rule, flag, lose)),
      ...given(always, at(config, "fallthrough") ?? config, flag, lose),
    ]
    if (isTrue(at(config, "on"))) {
      if (off.kind === "caller" && guards.some(({ gives }) => gives === off)) loseDefault(config, lose)
      return { ...base, enabled: true, guards, otherwise: toCaller, off }
    }
    if (off.kind === "caller") loseDefault(config, lose)
    return { ...base, enabled: false, guards, otherwise: off, off }
  }

  /** Met by a flag that is on and gives the variation; one that is off does not meet it, whatever it gives. */
  function prerequisites({ config, key }: LaunchDarklyFlag, off: Outcome, lose: Lose): readonly Guard[] {
    return items(at(config, "prerequisites")).map((node): Guard => {
      const name = textOf(at(node, "key")) ?? ""
      const parent = scope.flags.get(name)
      const values = parent?.variations.map(jsonOf) ?? []
      const wanted = values[numberOf(at(node, "variation")) ?? -1]
      const same = values.filter((value) => sameValue(value, wanted))
      if (parent === undefined) lose("import-prerequisite-missing", node, missingPrerequisite(name))
      else if (same.length > 1)
        lose("import-prerequisite", node, `another variation of \`${name}\` has the same value`)
      const offValue = values[numberOf(at(parent?.config, "offVariation")) ?? -1]
      const isOff =
        !isTrue(at(parent?.config, "on")) && (offValue === undefined || sameValue(offValue, wanted))
      if (wanted !== undefined && !isOff)
        return { when: none({ kind: "flag", key: name, is: wanted }), gives: off, node }
      if (parent !== undefined) remarks.push({ node, text: neverMet(key, name, parent.environment) })
      return { when: always, gives: off, node }
    })
  }

  function targets(flag: LaunchDarklyFlag, lose: Lose): readonly Guard[] {
    const own = items(at(flag.config, "targets"))
    const byKind = items(at(flag.config, "contextTargets"))
    const isUser = (node: Node) => (textOf(at(node, "contextKind")) ?? "user") === "user"
    const seen = new Set<string>()
    return (byKind.length === 0 ? own : byKind).flatMap((target): readonly Guard[] => {
      const isPlaceholder = isUser(target) && textsOf(at(target, "values")).length === 0
      const same = own.find((one) => at(one, "variation")?.value === at(target, "variation")?.value)
      const values = textsOf(at(isPlaceholder && byKind.length > 0 ? same : target, "values"))
      if (values.length === 0) return []
      if (!isUser(target))
        lose("import-context-kind", target, `targets of the kind \`${textOf(at(target, "contextKind"))}\``)
      for (const value of values)
        if (seen.size === seen.add(value).size)
          remarks.push({
            node: target,
            text: `\`${value}\` is targeted twice in \`${flag.key}\`; the first counts`,
          })
      return [
        {
          when: compare("key", "equals", values),
          gives: outcomeOf(flag, at(target, "variation"), target, lose),
          node: target,
        },
      ]
    })
  }

  function rules(rule: Node, flag: LaunchDarklyFlag, lose: Lose): readonly Guard[] {
    if (isTrue(at(rule, "disabled"))) {
      remarks.push({ node: rule, text: `a disabled rule of \`${flag.key}\` is left out` })
      return []
    }
    const when = all(...items(at(rule, "clauses")).map((clause) => clauses?.clause(clause, lose) ?? never))
    if (isNever(when)) {
      remarks.push({ node: rule, text: `a rule of \`${flag.key}\` matches nobody, and is left out` })
      return []
    }
    return given(when, rule, flag, lose)
  }

  /** A variation, or shares of people, of whom those that lack the attribute get the first. */
  function given(when: Condition, node: Node, flag: LaunchDarklyFlag, lose: Lose): readonly Guard[] {
    const rollout = at(node, "rollout")
    if (at(node, "variation") !== undefined || rollout === undefined)
      return [{ when, gives: outcomeOf(flag, at(node, "variation") ?? node, node, lose), node }]
    const weights = items(at(rollout, "variations"))
    const shares: { share: number; value: Outcome }[] = []
    let left = 100_000
    for (const [index, one] of weights.entries()) {
      const weight = Math.min(left, numberOf(at(one, "weight")) ?? 0)
      left -= weight
      const share = index === weights.length - 1 ? weight + left : weight
      if (share > 0)
        shares.push({ share: share / 1000, value: outcomeOf(flag, at(one, "variation"), one, lose) })
    }
    const sum = weights.reduce((sum, one) => sum + (numberOf(at(one, "weight")) ?? 0), 0)
    if (sum !== 100_000)
      remarks.push({
        node: rollout,
        text: `the weights in \`${flag.key}\` add up to ${sum / 1000} %; the last variation gets the rest`,
      })
    const [first, second] = shares
    if (first === undefined) lose("import-malformed", rollout, "a rollout without variations")
    const whole: Guard = { when, gives: first?.value ?? toCaller, node }
    if (second === undefined) return [whole]
    const isExperiment = textOf(at(rollout, "kind")) === "experiment"
    const bucketBy = at(rollout, "bucketBy")
    const by =
      isExperiment || bucketBy === undefined ? "key" : attributeOf(bucketBy, at(rollout, "contextKind"), lose)
    if (isExperiment) attributeOf(bucketBy ?? rollout, at(rollout, "contextKind"), lose, "key")
    lose("import-share-redealt", rollout, `shares by \`${by}\``)
    const into = shares.flatMap(({ share, value }) =>
      value.kind === "value" ? [{ share, value: value.value }] : [],
    )
    const split: Guard = {
      when,
      gives: { kind: "split", by, seed: scalarText(at(rollout, "seed")), into },
      node,
    }
    return by === "key" ? [split] : [split, { ...whole, isImplied: true }]
  }

  return configuration
}

function loseDefault(node: Node, lose: Lose): void {
  lose("import-caller-default", node, "off, it gives the default that the caller brings")
}

function outcomeOf(
  { variations }: LaunchDarklyFlag,
  index: Node | undefined,
  node: Node,
  lose: Lose,
): Outcome {
  if (index === undefined) return toCaller
  const variation = variations[typeof index.value === "number" ? index.value : -1]
  if (variation !== undefined) return toValue(jsonOf(variation))
  lose("import-malformed", node, "a variation that the flag does not have")
  return toCaller
}
