import { Failure } from "../failure.ts"
import type { ReadOptions, Tool } from "./form/tool.ts"
import { at, isTrue, items, type Node, textOf } from "./form/tree.ts"
import type { UnleashFeature } from "./sources/unleash.ts"
import { readUnleash, unleash } from "./unleash.ts"

/** How many flags GitLab sends on one page, unless asked for more. */
const pageSize = 20

/** Answers of `/projects/:id/feature_flags`, whose strategies are Unleash's: gitlabhq 155fb78, strategy.rb. */
export const gitlab: Tool = {
  ...unleash,
  title: "GitLab",
  recognizes: (root) => items(root).some((one) => at(one, "strategies") && at(one, "active")),
  read(documents, options) {
    for (const root of documents)
      if (items(root).length === pageSize)
        throw new Failure(
          `${root.file.path} has exactly ${pageSize} flags, which is one page of the API: add ?per_page=100, and fetch &page=2 and so on`,
        )
    return readUnleash(
      documents.flatMap((root) => items(root).flatMap((flag) => featuresOf(flag, options, documents))),
      documents,
      options,
    )
  },
}

/** A flag in each environment that a scope of one of its strategies matches. */
function featuresOf(node: Node, options: ReadOptions, documents: readonly Node[]): readonly UnleashFeature[] {
  const key = textOf(at(node, "name")) ?? ""
  return environmentsOf(options, documents).flatMap((environment) => {
    const strategies = items(at(node, "strategies")).filter((strategy) =>
      items(at(strategy, "scopes")).some((scope) =>
        globOf(textOf(at(scope, "environment_scope")) ?? "").test(environment),
      ),
    )
    const feature = { key, node, environment, enabled: isTrue(at(node, "active")) }
    return strategies.length === 0 ? [] : { ...feature, strategies, dependencies: [], variants: [] }
  })
}

/** Those of the project file, or else those that scopes name without a star, and production. */
function environmentsOf({ environments }: ReadOptions, documents: readonly Node[]): readonly string[] {
  if (environments.length > 0) return environments
  const scopes = documents
    .flatMap((root) => items(root))
    .flatMap((flag) => items(at(flag, "strategies")))
    .flatMap((one) => items(at(one, "scopes")))
  const names = scopes.flatMap((scope) => textOf(at(scope, "environment_scope")) ?? [])
  return [...new Set([...names.filter((name) => !name.includes("*")), "production"])]
}

function globOf(scope: string): RegExp {
  return new RegExp(`^${scope.replace(/[\\^$.|?+()[\]{}]/g, "\\$&").replaceAll("*", ".*")}$`)
}
