import { joinLast, phrase } from "../../diagnostics/phrase.ts"
import { positionOf } from "../../diagnostics/position.ts"
import type { Configuration } from "./form.ts"
import { collectLosses } from "./losses.ts"
import type { Node } from "./tree.ts"

/**
 * The configurations of a flag, once for each environment of a document that lists the flag several times. If it lists the flag
 * with different meanings, that is a loss, with the places. A flag's environments within one listing, and other documents, are
 * left as they are.
 */
export function mergeListings(configurations: readonly Configuration[]): readonly Configuration[] {
  const groups: (readonly [Configuration, ...Configuration[]])[] = []
  for (const one of configurations) {
    const at = groups.findIndex(([first]) => isListedAgain(first, one))
    const known = groups[at]
    if (known === undefined) groups.push([one])
    else groups[at] = [...known, one]
  }
  return groups.map(([first, ...others]) => {
    const meanings = [first, ...others].map(meaningOf)
    const different = [first, ...others].filter((_, at) => meanings.indexOf(meanings[at] ?? "") === at)
    if (different.length === 1) return first
    const { losses, addLoss } = collectLosses(first.losses)
    const places = joinLast(
      different.map(({ node: { file, start } }) => {
        const { line, column } = positionOf(file, start)
        return phrase`${line}:${column}`
      }),
      "and",
    )
    addLoss("import-malformed", first.node, phrase`it is listed with different meanings, at ${places}`)
    return { ...first, losses }
  })
}

function isListedAgain(first: Configuration, one: Configuration): boolean {
  return (
    one.environment === first.environment &&
    one.node !== first.node &&
    rootOf(one.node) === rootOf(first.node)
  )
}

function rootOf(node: Node): Node {
  return node.parent === undefined ? node : rootOf(node.parent)
}

/** The same text for configurations that give everyone the same and lose the same. */
function meaningOf({ enabled, otherwise, off, guards, losses }: Configuration): string {
  const rules = guards.map(({ when, gives }) => [when, gives])
  return JSON.stringify([enabled, otherwise, off, rules, losses.map(({ code, message }) => [code, message])])
}
