import { readProject } from "../compile/definition/project.ts"
import { pathFrom } from "../compile/read/read.ts"
import { createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import type { Tree } from "../diff/revisions/tree.ts"
import { type CompiledSide, compileSides } from "../diff/sides/compile-sides.ts"

const nothing: Tree = { files: new Map(), read: async () => [] }

/** Compiles a whole tree. Throws `Failure` if it has no project. */
export async function compileTree(tree: Tree, folder: string): Promise<CompiledSide> {
  if (tree.files.size === 0) readProject(folder, createReport()) // throws, because there is no project
  const { after } = await compileSides(nothing, tree, folder)
  return after
}

/** The tree with new contents in the edited files. */
export function withEdits(tree: Tree, edited: ReadonlyMap<string, SourceFile>, folder: string): Tree {
  return {
    files: new Map([
      ...tree.files,
      ...[...edited.keys()].map((path) => [pathFrom(folder, path), "edited"] as const),
    ]),
    read: async (paths, report) =>
      (await tree.read(paths, report)).map((source) => edited.get(source.path) ?? source),
  }
}
