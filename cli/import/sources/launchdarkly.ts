import { Failure } from "../../failure.ts"
import { inNoEnvironment, type Remark } from "../form/form.ts"
import { environmentOf } from "../form/tool.ts"
import { at, isTrue, items, members, membersOf, type Node, nameOf, textOf } from "../form/tree.ts"

/** A flag in one environment, from any kind of file. */
export interface LaunchDarklyFlag {
  readonly key: string
  readonly environment: string
  /** Has `on`, `rules` and so on. */
  readonly config: Node
  readonly variations: readonly Node[]
  /** Targets of users. */
  readonly targets: readonly Node[]
  readonly rules: readonly Node[]
  /** Rules that are switched off. */
  readonly disabled: readonly Node[]
  /** Has `name`, `tags` and so on. */
  readonly about: Node
}

/** What the flags of an environment may refer to. */
export interface LaunchDarklyScope {
  readonly flags: ReadonlyMap<string, LaunchDarklyFlag>
  readonly segments: ReadonlyMap<string, Node>
  readonly knownValues: ReadonlyMap<string, readonly string[]>
}

/** The flags of a file, once for each environment. Throws `Failure` if the user names one environment for several. */
export function flagsIn(root: Node, remarks: Remark[]): readonly LaunchDarklyFlag[] {
  const payload = at(root, "data") ?? root
  const environment = environmentOf(root)
  const fromPayload = members(at(payload, "flags")).map(([key, flag]) =>
    flagOf({ key, environment, config: flag, about: flag, variations: items(at(flag, "variations")) }),
  )
  const fromValues = members(at(payload, "flagValues")).map(([key, value]) =>
    flagOf({ key, environment, config: value, about: value, variations: [value] }),
  )
  const fromList = listedIn(root).flatMap((flag) => {
    const key = textOf(at(flag, "key")) ?? ""
    if (isTrue(at(flag, "archived"))) {
      remarks.push({ node: flag, flag: key, text: "it is archived, and is left out" })
      return []
    }
    const environments = members(at(flag, "environments"))
    if (environments.length === 0) remarks.push(inNoEnvironment(flag, key))
    if (environments.length > 1 && root.file.environment !== undefined)
      throw new Failure(`${nameOf(root.file)} has several environments: leave out ${root.file.environment}=`)
    const variations = items(at(flag, "variations")).map(
      (one) => membersOf(one)?.find(({ name }) => name === "value") ?? one, // which may be null
    )
    return environments.map(([name, config]) =>
      flagOf({ key, environment: environmentOf(root, name), config, about: flag, variations }),
    )
  })
  return [...fromPayload, ...fromValues, ...fromList]
}

function listedIn(root: Node): readonly Node[] {
  return [...items(at(root, "items")), ...items(root)].filter(isFlag)
}

/** A list of flags or of segments has no other name for what it lists. */
function isFlag(one: Node): boolean {
  return (at(one, "environments") ?? at(one, "variations")) !== undefined
}

function flagOf(written: Omit<LaunchDarklyFlag, "targets" | "rules" | "disabled">): LaunchDarklyFlag {
  const { on = [], off = [] } = Object.groupBy(items(at(written.config, "rules")), (rule) =>
    isTrue(at(rule, "disabled")) ? "off" : "on",
  )
  return { ...written, targets: targetsOf(written.config), rules: on, disabled: off }
}

/** The segments of a file for one environment. */
export function segmentsIn(root: Node): readonly (readonly [string, Node])[] {
  const listed = [...items(at(root, "items")), ...items(root)].filter((one) => !isFlag(one) && at(one, "key"))
  const inPayload = members(at(root, "segments") ?? at(root, "data", "segments"))
  return [...inPayload, ...listed.map((one) => [textOf(at(one, "key")) ?? "", one] as const)]
}

/** Targeted users. An empty item of `contextTargets` stands for the one in `targets` with the same variation. */
function targetsOf(config: Node): readonly Node[] {
  const [own, byKind] = [items(at(config, "targets")), items(at(config, "contextTargets"))]
  const hasValues = (one: Node | undefined) => items(at(one, "values")).length > 0
  if (byKind.length === 0) return own.filter(hasValues)
  return byKind.flatMap((one) => {
    if ((textOf(at(one, "contextKind")) || "user") !== "user") return []
    if (hasValues(one)) return one
    const same = own.find((other) => at(other, "variation")?.value === at(one, "variation")?.value)
    return same !== undefined && hasValues(same) ? same : []
  })
}
