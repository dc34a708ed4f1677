import type { Definition } from "../../compile/definition/definition.ts"
import { keyOfFile } from "../../compile/read/file-names.ts"
import { createReport, type SourceFile } from "../../diagnostics/diagnostic.ts"
import type { Tree } from "../revisions/tree.ts"

/** The shared files that might have a key or id that a changed file has on only one side: only these can collide. */
export async function readNeighbours(
  shared: readonly string[],
  before: readonly Definition[],
  after: readonly Definition[],
  tree: Tree,
): Promise<readonly SourceFile[]> {
  const [namesBefore, namesAfter] = [namesIn(before), namesIn(after)]
  const all = [...namesBefore, ...namesAfter]
  const names = new Set(all.filter((name) => !namesBefore.has(name) || !namesAfter.has(name)))
  if (names.size === 0 || shared.length === 0) return []
  const sources = await tree.read(shared, createReport())
  return sources.filter(
    // The text also has the member that gives the name, unless the file's own name is the key.
    ({ path, text }) =>
      names.has(keyOfFile(path)) || (/\b(key|id)\b|\\/.test(text) && mightName(text, names)),
  )
}

/** The keys and ids of flags and of their configurations. */
function namesIn(definitions: readonly Definition[]): Set<string> {
  const names = definitions.flatMap(({ key, id, configurations }) => [
    key,
    id?.text,
    ...configurations.map((configuration) => configuration.id?.text),
  ])
  return new Set(names.filter((name) => name !== undefined))
}

/** Whether a file's text may have one of the names, perhaps with escapes. */
export function mightName(text: string, names: ReadonlySet<string>): boolean {
  return text.includes("\\") || [...names].some((name) => text.includes(name))
}
