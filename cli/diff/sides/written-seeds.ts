import { type Condition, fold, type Share, seededBy } from "../../language/condition.ts"
import { sameMeaning } from "../../language/encode.ts"
import { withSent } from "../../language/encode-rules.ts"
import type { Flag, Rule } from "../../language/flag.ts"

/** The flag with the seed of each share written out, so that the users whom it picks do not depend on its key. */
export function withWrittenSeeds(flag: Flag): Flag {
  return mapConditions(flag, (condition) => seededBy(flag.key, condition))
}

/** The flag with one seed for all its shares. */
export function withoutSeeds(flag: Flag): Flag {
  return mapConditions(withWrittenSeeds(flag), (condition) =>
    fold(condition, (node, parts: readonly Condition[]): Condition => {
      if ("parts" in node) return { ...node, parts }
      return node.kind === "share" ? { ...node, seed: "" } : node
    }),
  )
}

function mapConditions(flag: Flag, change: (condition: Condition) => Condition): Flag {
  const changed = (rules: readonly Rule[]): readonly Rule[] => {
    let above: Condition | undefined
    const written = rules.map((rule) => {
      const condition = fromTheFirstArm(change(rule.condition), above)
      above = condition
      return { ...rule, condition }
    })
    return withSent(written, flag.key)
  }
  const configurations = [...flag.configurations].map(
    ([name, configuration]) => [name, { ...configuration, rules: changed(configuration.rules) }] as const,
  )
  return { ...flag, configurations: new Map(configurations) }
}

/**
 * The condition of an arm of a split with a seed as it would be without: it begins where the first arm does, because the rules above
 * have taken the users in between.
 */
function fromTheFirstArm(condition: Condition, above: Condition | undefined): Condition {
  if (above === undefined) return condition
  const [share, earlier] = [shareIn(condition), shareIn(above)]
  if (share === undefined || share.from !== earlier?.to) return condition
  const widened = withShare(condition, { ...share, from: earlier.from })
  return sameMeaning(withShare(condition, earlier), above) ? widened : condition
}

/** The share of an arm, which may stand beside other conditions. */
function shareIn(condition: Condition): Share | undefined {
  const [share] = (condition.kind === "all" ? condition.parts : [condition]).filter(isShare)
  return share
}

function withShare(condition: Condition, share: Share): Condition {
  if (condition.kind !== "all") return share
  return { ...condition, parts: condition.parts.map((part) => (isShare(part) ? share : part)) }
}

function isShare(condition: Condition): condition is Share {
  return condition.kind === "share"
}
