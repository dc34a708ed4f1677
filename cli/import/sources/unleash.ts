import { Failure } from "../../failure.ts"
import { environmentOf, type ReadOptions } from "../form/tool.ts"
import { at, isTrue, items, type Node, nameOf, scalarText, textOf, textsOf } from "../form/tree.ts"

/** A feature in one environment, from any kind of file. */
export interface UnleashFeature {
  readonly key: string
  readonly environment: string
  readonly node: Node
  readonly enabled: boolean
  /** Those that are disabled are left out. */
  readonly strategies: readonly Node[]
  readonly dependencies: readonly Node[]
  readonly variants: readonly Node[]
  /** Strategies that are switched off. */
  readonly disabled: readonly Node[]
  /** The ids of a strategy's segments. */
  readonly segmentsOf: (strategy: Node | undefined) => readonly Node[]
}

/** What the features of an environment may refer to. */
export interface UnleashScope {
  readonly features: ReadonlyMap<string, UnleashFeature>
  /** By id. */
  readonly segments: ReadonlyMap<string, Node>
  /** Custom strategies, by name. */
  readonly strategies: ReadOptions["strategies"]
}

/** The features of a file, once for each environment. Throws `Failure` for an export without an environment. */
export function featuresIn(root: Node): readonly UnleashFeature[] {
  const listed = items(at(root, "featureStrategies"))
  const states = items(at(root, "featureEnvironments"))
  // Unleash exports this for an unknown environment.
  if (at(root, "featureEnvironments") && states.length === 0)
    throw new Failure(`${nameOf(root.file)} names no environment: export one that Unleash has`)
  const named =
    textOf(at(states[0], "environment")) ??
    textOf(at(listed[0], "environment")) ??
    textOf(at(root, "query", "environment"))
  // State exports list them apart.
  const links = Map.groupBy(items(at(root, "featureStrategySegments")), (one) =>
    scalarText(at(one, "featureStrategyId")),
  )
  const segmentsOf = (strategy: Node | undefined) => [
    ...items(at(strategy, "segments")),
    ...(links.get(scalarText(at(strategy, "id")) ?? "") ?? []).flatMap((one) => at(one, "segmentId") ?? []),
  ]
  return items(at(root, "features")).flatMap((node): readonly UnleashFeature[] => {
    const key = textOf(at(node, "name")) ?? ""
    const own = (one: Node) => textOf(at(one, "featureName")) === key
    const inner = items(at(node, "environments"))
    const environments = states.length > 0 ? states.filter(own) : inner.length > 0 ? inner : [undefined]
    return environments.map((state) => {
      const name = textOf(at(state, "environment")) ?? textOf(at(state, "name"))
      const outer = listed.filter((one) => own(one) && (textOf(at(one, "environment")) ?? name) === name)
      const written = [...items(at(node, "strategies")), ...items(at(state, "strategies")), ...outer]
      const strategies = written.filter((one) => !isTrue(at(one, "disabled")))
      const isOn = isTrue(at(state ?? node, "enabled")) || (state === undefined && listed.length > 0)
      const apart = items(at(root, "dependencies")).filter((one) => textOf(at(one, "feature")) === key)
      return {
        ...{ key, node, strategies, segmentsOf, environment: environmentOf(root, name ?? named) },
        // Unleash treats a feature as off if all its strategies are disabled.
        enabled: isOn && (strategies.length > 0 || written.length === 0),
        disabled: written.filter((one) => isTrue(at(one, "disabled"))),
        dependencies: [
          ...items(at(node, "dependencies")),
          ...apart.flatMap((one) => items(at(one, "dependencies"))),
        ],
        variants: [
          ...items(at(node, "variants")),
          ...items(at(state, "variants")),
          ...strategies.flatMap((one) => items(at(one, "variants"))),
        ],
      }
    })
  })
}

/** A strategy's name, and its parameters as strings. */
export function strategyOf(node: Node) {
  return {
    name: textOf(at(node, "name")) ?? textOf(at(node, "strategyName")) ?? "",
    parameter: (name: string) => scalarText(at(node, "parameters", name)) ?? "",
  }
}

/** The seed of shares without a group, so that every flag has the same users in them. */
export const noGroup = "unleash"

/** The items of a comma-separated list, without the blanks around commas. */
export function listed(text: string): readonly string[] {
  const last = text.split(",").length - 1
  return text
    .split(",")
    .map((item, at) => (at === 0 ? item : item.trimStart()))
    .map((item, at) => (at === last ? item : item.trimEnd()))
    .filter((item) => item !== "")
}

/** What a constraint compares. */
export function constraintOf(node: Node) {
  const values = textsOf(at(node, "values")).filter((value) => value !== "")
  return {
    attribute: textOf(at(node, "contextName")) ?? "",
    operator: textOf(at(node, "operator")) ?? "",
    values: values.map((value) => value.trim()),
    value: scalarText(at(node, "value")) ?? "",
    ignoresCase: isTrue(at(node, "caseInsensitive")),
  }
}
