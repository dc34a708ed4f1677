import { Failure } from "../failure.ts"
import type { ImportedFlag, Remark } from "./form/form.ts"
import type { ReadOptions, Tool } from "./form/tool.ts"
import { at, isTrue, items, type Node, nameOf, textOf } from "./form/tree.ts"
import type { UnleashFeature } from "./sources/unleash.ts"
import { readUnleash, unleash } from "./unleash.ts"

/** How many flags GitLab sends per page: by default, and at most. */
const [pageSize, largestPage] = [20, 100]

/** Responses of `/projects/:id/feature_flags`, whose strategies are Unleash's: gitlabhq 155fb78, strategy.rb. */
export const gitlab: Tool = {
  ...unleash,
  title: "GitLab",
  recognizes: (root) =>
    items(root).some((one) => (at(one, "strategies") ?? at(one, "scopes")) && at(one, "active")),
  read(documents, options) {
    for (const root of documents)
      if (items(root).length === pageSize)
        throw new Failure(
          `${nameOf(root.file)} has exactly ${pageSize} flags, which is one page of the API: add ?per_page=100, and fetch &page=2 and so on`,
        )
    const environments = environmentsOf(options, documents)
    const flags = documents.flatMap((root) => items(root))
    const areFull = documents.every((root) => items(root).length === largestPage)
    const text = `each page has ${largestPage} flags, so there may be more: fetch the next page`
    const full = areFull ? documents.slice(-1).map((node) => ({ node, text })) : []
    const read = readUnleash(
      flags.flatMap((flag) => featuresOf(flag, environments)),
      documents,
      options,
    )
    return {
      ...read,
      flags: read.flags.map(withoutOpen),
      remarks: [...full, ...read.remarks, ...flags.flatMap((flag) => unmatched(flag, environments))],
    }
  },
}

/** A flag in each environment. It is off where no scope of a strategy matches. */
function featuresOf(node: Node, environments: readonly string[]): readonly UnleashFeature[] {
  const key = textOf(at(node, "name")) ?? ""
  return environments.map((environment) => {
    const scope = scopeOf(node, environment)
    const strategies = isLegacy(node)
      ? items(at(scope, "strategies"))
      : items(at(node, "strategies")).filter((strategy) => isFor(strategy, environment))
    const enabled = [node, scope ?? node].every((one) => isTrue(at(one, "active"))) && strategies.length > 0
    const feature = { key, node, environment, enabled, strategies }
    return { ...feature, dependencies: [], variants: [], disabled: [], segmentsOf: () => [] }
  })
}

/** Whether a flag is of before GitLab 14: then its scopes have strategies, and not its strategies scopes. */
function isLegacy(node: Node): boolean {
  return textOf(at(node, "version")) === "legacy_flag"
}

/** The scope of a legacy flag that applies in an environment: the one with its name, or else the longest. */
function scopeOf(node: Node, environment: string): Node | undefined {
  if (!isLegacy(node)) return undefined
  const fitting = items(at(node, "scopes")).filter((scope) => globOf(scopeText(scope)).test(environment))
  const exact = fitting.find((scope) => scopeText(scope) === environment)
  return exact ?? fitting.toSorted((a, b) => scopeText(b).length - scopeText(a).length)[0]
}

function scopeText(scope: Node): string {
  return textOf(at(scope, "environment_scope")) ?? ""
}

/** Without strategies, an Unleash flag is on for everyone, and a GitLab flag for no one. */
function withoutOpen(flag: ImportedFlag): ImportedFlag {
  const configurations = flag.configurations.map((one) => ({
    ...one,
    guards: one.guards.filter(({ node }) => node !== one.node),
  }))
  return { ...flag, configurations }
}

/** Strategies whose scopes match none of the environments. */
function unmatched(flag: Node, environments: readonly string[]): readonly Remark[] {
  const text = "a strategy is left out: its scopes match no environment"
  const left = items(at(flag, "strategies")).filter((one) => !environments.some((name) => isFor(one, name)))
  return left.map((node) => ({ node, flag: textOf(at(flag, "name")), text }))
}

function isFor(strategy: Node, environment: string): boolean {
  return items(at(strategy, "scopes")).some((scope) => globOf(scopeText(scope)).test(environment))
}

/** The project file's environments, or else those that scopes name without a star, and production. */
function environmentsOf({ environments }: ReadOptions, documents: readonly Node[]): readonly string[] {
  if (environments.length > 0) return environments
  const scopes = documents
    .flatMap((root) => items(root))
    .flatMap((flag) => [flag, ...items(at(flag, "strategies"))])
    .flatMap((one) => items(at(one, "scopes")))
  const names = scopes.map(scopeText).filter((name) => name !== "")
  return [...new Set([...names.filter((name) => !name.includes("*")), "production"])]
}

function globOf(scope: string): RegExp {
  return new RegExp(`^${scope.replace(/[\\^$.|?+()[\]{}]/g, "\\$&").replaceAll("*", ".*")}$`)
}
