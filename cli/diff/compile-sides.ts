import { basename } from "node:path"
import { check } from "../compile/checks/check.ts"
import type { Definition } from "../compile/definition/definition.ts"
import { type Project, parseProject } from "../compile/definition/project.ts"
import { projectFileName } from "../compile/definition/read.ts"
import { resolveFlag } from "../compile/meaning/resolve.ts"
import { createReport, type Diagnostic, type Report, type SourceFile } from "../diagnostics/diagnostic.ts"
import { sameValue } from "./decision.ts"
import type { Side } from "./pair-flags.ts"
import type { Tree } from "./revision-sources.ts"

/** A compiled side, with the mistakes that keep it from being compared. */
export interface CompiledSide {
  readonly side: Side
  readonly errors: readonly Diagnostic[]
}

/**
 * Compiles what can differ between two trees: the files whose contents or paths do. The meaning of a flag follows from
 * its own file and the project file alone, so what both sides have means the same on both, and is not even read where
 * no check could look at it. Where the project files differ in more than who is protected, everything is compiled.
 */
export async function compileSides(
  trees: readonly [Tree, Tree],
  folder: string,
): Promise<readonly [CompiledSide, CompiledSide]> {
  const [before, after] = trees
  const reports = [createReport(), createReport()] as const
  const projects = [
    await readProjectOf(before, folder, reports[0]),
    await readProjectOf(after, folder, reports[1]),
  ] as const
  const alike = sameProject(...projects)
  const different = (tree: Tree, other: Tree) =>
    [...tree.files]
      .filter(([path, id]) => path !== projectFileName && !(alike && other.files.get(path) === id))
      .map(([path]) => path)
  const sources = [
    await readFlags(before, projects[0], different(before, after), reports[0]),
    await readFlags(after, projects[1], different(after, before), reports[1]),
  ] as const
  const [old, now] = [
    checkSources(sources[0], projects[0], reports[0]),
    checkSources(sources[1], projects[1], reports[1]),
  ]
  const unchanged = alike
    ? [...after.files.keys()].filter(
        (path) => path !== projectFileName && before.files.get(path) === after.files.get(path),
      )
    : []
  const neighbours = await readNeighbours(after, unchanged, namesOnOneSide(old, now))
  return [
    finish(projects[0], sources[0], neighbours, old, reports[0]),
    finish(projects[1], sources[1], neighbours, now, reports[1]),
  ]
}

async function readProjectOf(tree: Tree, folder: string, report: Report): Promise<Project | undefined> {
  if (!tree.files.has(projectFileName)) return undefined
  const [source] = await tree.read([projectFileName], report)
  return source && parseProject(source, folder, report)
}

function readFlags(tree: Tree, project: Project | undefined, paths: readonly string[], report: Report) {
  return project === undefined ? Promise.resolve([]) : tree.read(paths, report)
}

function checkSources(sources: readonly SourceFile[], project: Project | undefined, report: Report) {
  return project === undefined ? [] : check(sources, project, report)
}

/** Whether a flag file means the same in both projects. */
function sameProject(a: Project | undefined, b: Project | undefined): boolean {
  const meaning = (project: Project | undefined) =>
    project === undefined
      ? null
      : [project.name, project.id, project.operators, project.environments.map(({ name, id }) => [name, id])]
  return a !== undefined && b !== undefined && sameValue(meaning(a), meaning(b))
}

/** The keys and ids that changed files give on one side alone: only these can collide with an unchanged file's. */
function namesOnOneSide(before: readonly Definition[], after: readonly Definition[]): ReadonlySet<string> {
  const namesOf = (definitions: readonly Definition[]) =>
    new Set(
      definitions.flatMap(({ key, id, configurations }) =>
        [key, id?.text, ...configurations.map((configuration) => configuration.id?.text)].filter(
          (name) => name !== undefined,
        ),
      ),
    )
  const [olds, news] = [namesOf(before), namesOf(after)]
  return new Set([
    ...[...olds].filter((name) => !news.has(name)),
    ...[...news].filter((name) => !olds.has(name)),
  ])
}

/**
 * The unchanged files that might have one of the names as their key or an id. A name is in the text, or spelt with an
 * escape; so is the member that gives it, unless the file's own name is the key.
 */
async function readNeighbours(
  tree: Tree,
  paths: readonly string[],
  names: ReadonlySet<string>,
): Promise<readonly SourceFile[]> {
  if (names.size === 0 || paths.length === 0) return []
  const sources = await tree.read(paths, createReport())
  const list = [...names]
  return sources.filter(
    ({ path, text }) =>
      names.has(basename(path).replace(/\.ya?ml$/, "")) ||
      (/\b(key|id)\b|\\/.test(text) && (text.includes("\\") || list.some((name) => text.includes(name)))),
  )
}

function finish(
  project: Project | undefined,
  sources: readonly SourceFile[],
  neighbours: readonly SourceFile[],
  definitions: readonly Definition[],
  report: Report,
): CompiledSide {
  if (project !== undefined && neighbours.length > 0) check([...sources, ...neighbours], project, report)
  const errors = distinct(report.diagnostics).filter(
    ({ severity, location, related }) =>
      severity === "error" &&
      [location, ...related.map((other) => other.location)].some(
        ({ source }) => !neighbours.includes(source),
      ),
  )
  const flags =
    project === undefined || errors.length > 0 ? [] : definitions.map((one) => resolveFlag(one, project))
  return { side: { project, flags }, errors }
}

/** Changed files are checked again beside their neighbours; what is found twice is said once. */
function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const byPlace = diagnostics.map((one) => {
    const { source, span } = one.location
    return [`${source.path} ${span.start} ${one.code} ${one.message}`, one] as const
  })
  return [...new Map(byPlace).values()]
}
