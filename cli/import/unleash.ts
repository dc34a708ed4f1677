import { listPhrase, mostItems, phrase } from "../diagnostics/phrase.ts"
import { all, always, type Condition, never } from "../language/condition.ts"
import {
  type Configuration,
  disabledRules,
  type Found,
  type Guard,
  type Imported,
  inNoEnvironment,
  missingPrerequisite,
  type Remark,
  toValue,
} from "./form/form.ts"
import { gather } from "./form/gather.ts"
import { type AddLoss, collectLosses } from "./form/losses.ts"
import { environmentOf, type ReadOptions, type Tool } from "./form/tool.ts"
import { at, isTrue, items, type Node, scalarText, textOf } from "./form/tree.ts"
import { murmur3 } from "./meaning/hashes.ts"
import { unleashMeaning } from "./meaning/unleash.ts"
import { createSegmentUses } from "./segment-uses.ts"
import {
  constraintOf,
  featuresIn,
  listed,
  strategyOf,
  type UnleashFeature,
  type UnleashScope,
} from "./sources/unleash.ts"
import { constraintCondition, strategyCondition } from "./unleash-strategies.ts"

/** Exports, older state exports, and the feed of SDKs. Meaning: Unleash/unleash-client-node 33c3556. */
export const unleash: Tool = {
  title: "Unleash",
  newest: "4",
  contexts: "texts",
  comparesItems: false,
  required: [],
  recognizes: (root) =>
    items(at(root, "features")).some((one) => at(one, "name")) ||
    items(at(root, "segments")).some((one) => at(one, "id")),
  read,
  hash: (seed, text) => (murmur3(`${seed}:${text}`) % 100) / 100,
}

function read(documents: readonly Node[], { strategies }: ReadOptions): Imported {
  const features = documents.flatMap(featuresIn)
  const remarks = documents.filter((root) => at(root, "version")?.value === 4).map(lacksDependencies)
  const isRead = new Set(features.map(({ node }) => node))
  const unread = documents.flatMap((root) => items(at(root, "features"))).filter((one) => !isRead.has(one))
  remarks.push(...unread.map((one) => inNoEnvironment(one, textOf(at(one, "name")) ?? "")))
  const parts = [...Map.groupBy(features, ({ environment }) => environment)].map(([environment, own]) => {
    const here = documents.filter((root) => environmentOf(root, environment) === environment)
    // An export names segments without their constraints.
    const listed = here.flatMap((root) => items(at(root, "segments"))).filter((one) => at(one, "constraints"))
    const scope: UnleashScope = {
      features: new Map(own.map((one) => [one.key, one])),
      segments: new Map(listed.map((one) => [scalarText(at(one, "id")) ?? "", one])),
      strategies,
    }
    const { configuration, segments } = createReader(scope, environment, remarks)
    const found = own.map((one): Found => {
      return { key: one.key, configuration: configuration(one), about: () => aboutOf(one, documents) }
    })
    return { found, segments }
  })
  return { ...gather(parts), remarks }
}

function aboutOf({ key, node }: UnleashFeature, documents: readonly Node[]): ReturnType<Found["about"]> {
  const own = [textOf(at(node, "type")) ?? [], isTrue(at(node, "stale")) ? "stale" : []].flat()
  return {
    description: textOf(at(node, "description")),
    tags: [...own, ...documents.flatMap((root) => tagsOf(root, key))],
  }
}

const onlyAsText = "ids that are numbers: there, a userId matches only if it is sent as text"

function lacksDependencies(node: Node): Remark {
  const text = "this export leaves out dependencies between flags: export with features-batch if you have any"
  return { node, text }
}

const offInNode = "it is on here, but off in Unleash's SDK for Node, because it has no list of `strategies`"

/** Whether a feature of a feed has no list of strategies. Exports have it elsewhere. */
function lacksStrategies({ node }: UnleashFeature): boolean {
  const lists = [
    at(node, "strategies"),
    at(node, "environments"),
    at(node.parent?.parent, "featureStrategies"),
  ]
  return lists.every((one) => one === undefined)
}

function tagsOf(root: Node, key: string): readonly string[] {
  const own = items(at(root, "featureTags")).filter((one) => textOf(at(one, "featureName")) === key)
  return own.flatMap((one) => textOf(at(one, "tagValue") ?? at(one, "value")) ?? [])
}

const sentHere = "Unleash's SDKs add this to every context: here, your application sends it"

/** What a reader of a strategy would find odd, or has to know. */
function remarksOn(
  strategy: Node | undefined,
  { key, node, segmentsOf }: UnleashFeature,
  { segments }: UnleashScope,
): readonly Remark[] {
  const whose = { node: strategy ?? node, flag: key }
  const ids = strategy === undefined ? [] : listed(strategyOf(strategy).parameter("userIds"))
  const seen = new Set<string>()
  const twice = ids.filter((id) => seen.size === seen.add(id).size)
  const numbers = new Set(ids.filter((id) => /^\d+$/.test(id)))
  const nodes = [strategy, ...segmentsOf(strategy).map((id) => segments.get(scalarText(id) ?? ""))]
  const compared = nodes.flatMap((one) =>
    items(at(one, "constraints")).map((each) => constraintOf(each).attribute),
  )
  const stickiness = strategy === undefined ? "" : strategyOf(strategy).parameter("stickiness")
  const asked = [...compared, stickiness]
  const added = new Set(asked.filter((attribute) => attribute === "appName" || attribute === "environment"))
  return [
    ...twice.map((id) => ({ ...whose, text: "an id is listed twice", detail: phrase`${id}` })),
    ...(numbers.size > 0 ? [{ ...whose, text: onlyAsText, detail: listPhrase(numbers, mostItems) }] : []),
    ...(added.size > 0 ? [{ ...whose, text: sentHere, detail: listPhrase(added) }] : []),
  ]
}

function createReader(scope: UnleashScope, environment: string, remarks: Remark[]) {
  const find = (id: string) => {
    const node = scope.segments.get(id)
    if (node === undefined) return undefined
    const condition = (addLoss: AddLoss) =>
      all(...items(at(node, "constraints")).map((one) => constraintCondition(one, addLoss)))
    return {
      name: textOf(at(node, "name")) ?? `segment-${id}`,
      description: textOf(at(node, "description")),
      condition,
    }
  }
  const uses = createSegmentUses(environment, find)

  function dependency(node: Node, key: string, addLoss: AddLoss): Condition {
    const name = textOf(at(node, "feature")) ?? ""
    const parent = scope.features.get(name)
    if (parent === undefined) addLoss("import-prerequisite-missing", node, missingPrerequisite(name))
    else if (items(at(node, "variants")).length > 0)
      addLoss("import-prerequisite", node, phrase`it depends on a variant of ${name}`)
    else if (parent.dependencies.length === 0)
      return {
        kind: "flag",
        key: name,
        environment,
        is: at(node, "enabled")?.value !== false,
        means: undefined,
      }
    else
      remarks.push({
        ...{ node, flag: key, environment },
        text: "it is always off, because it depends on a flag that itself has dependencies",
        detail: phrase`${name}`,
      })
    return never
  }

  const configuration = (feature: UnleashFeature): Configuration => {
    const { key, node, enabled, strategies } = feature
    const { losses, addLoss } = collectLosses()
    remarks.push(...disabledRules(feature.disabled, key, environment))
    if (enabled && lacksStrategies(feature)) remarks.push({ node, flag: key, environment, text: offInNode })
    if (feature.variants.length > 0)
      addLoss("import-variants", feature.variants[0] ?? node, phrase`variants in addition to on and off`)
    const asked = feature.dependencies.map((one) => dependency(one, key, addLoss))
    const guards = (strategies.length === 0 ? [undefined] : strategies).map((strategy): Guard => {
      const constraints = items(at(strategy, "constraints")).map((one) => constraintCondition(one, addLoss))
      const inSegments = feature.segmentsOf(strategy).map((id) => uses.use(scalarText(id) ?? "", id, addLoss))
      const own = strategy === undefined ? always : strategyCondition(strategy, key, scope, addLoss)
      remarks.push(...remarksOn(strategy, feature, scope).map((one) => ({ ...one, environment })))
      const when = all(...asked, ...constraints, ...inSegments, own)
      return { when, gives: toValue(true), node: strategy ?? node }
    })
    const base = {
      environment,
      node,
      meaning: unleashMeaning(feature, scope),
      otherwise: toValue(false),
      off: toValue(false),
    }
    return { ...base, enabled, guards, losses }
  }

  return { configuration, segments: uses.segments }
}
