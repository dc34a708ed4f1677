import { existsSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { isEnvironmentName } from "../../proxy/contract/environment-name.ts"
import type { Report, Source } from "../diagnostics/diagnostic.ts"
import { didYouMean } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"
import { operators } from "./operators.ts"
import { parseSource } from "./parse.ts"
import { projectFileName, readSource } from "./read.ts"
import { projectFileSchema } from "./schema.ts"
import { createShapeCheck } from "./shape.ts"
import { memberOf, type Node, type ParsedFile, toValue } from "./tree.ts"

/** A deployment target of the project. */
export interface Environment {
  readonly name: string
  /** The `environmentId` of the wire. */
  readonly id: string
}

/** What the project file says, and where the flags are. */
export interface Project {
  /** Absolute path of the flags folder. */
  readonly folder: string
  readonly name: string
  /** The `projectId` of the wire. */
  readonly id: string
  readonly environments: readonly Environment[]
  /** The names of the operators that the project adds to Flagstone's own. */
  readonly operators: readonly string[]
  /** The names of the environments whose changes deserve most care. */
  readonly protected: readonly string[]
  readonly source: Source
}

/**
 * Reads `project.yaml` of a flags folder. `undefined` where the file has mistakes; they are in the report.
 * Throws `Failure` where there is no such folder or file.
 */
export function readProject(folder: string, report: Report): Project | undefined {
  const path = join(resolve(folder), projectFileName)
  if (!existsSync(folder))
    throw new Failure(
      `no folder ${folder}: name the flags folder with --flags, or start one with flagstone init`,
    )
  if (!statSync(folder).isDirectory())
    throw new Failure(`${folder} is no folder: name the flags folder with --flags`)
  if (!existsSync(path))
    throw new Failure(
      `no ${projectFileName} in ${folder}: it names the project and its environments; flagstone init writes one`,
    )
  const source = readSource(path, report)
  return source === undefined ? undefined : parseProject(source, resolve(folder), report)
}

/** What a project file says; `undefined` where it has mistakes, which are in the report. */
export function parseProject(source: Source, folder: string, report: Report): Project | undefined {
  const before = report.diagnostics.length
  const [file] = parseSource(source, report)
  if (file === undefined) return undefined
  checkProjectShape(file, report)
  if (report.diagnostics.length > before) return undefined
  const project = toProject(file, folder)
  checkEnvironments(file, project, report)
  checkOperators(file, project, report)
  checkProtected(file, project, report)
  return report.diagnostics.length > before ? undefined : project
}

const checkProjectShape = createShapeCheck(projectFileSchema)

/** Only for a file that has the project file's shape. */
function toProject({ source, root }: ParsedFile, folder: string): Project {
  const file = toValue(root) as {
    readonly project: string
    readonly id?: string
    readonly environments: readonly (string | { readonly name: string; readonly id?: string })[]
    readonly operators?: readonly string[]
    readonly protected?: readonly string[]
  }
  return {
    folder,
    name: file.project,
    id: file.id ?? file.project,
    environments: file.environments.map((environment) =>
      typeof environment === "string"
        ? { name: environment, id: environment }
        : { name: environment.name, id: environment.id ?? environment.name },
    ),
    operators: file.operators ?? [],
    protected: file.protected ?? [],
    source,
  }
}

function checkEnvironments(file: ParsedFile, project: Project, report: Report): void {
  const nodes = itemsOf(file, "environments")
  for (const [at, { name, id }] of project.environments.entries()) {
    const span = nodes[at] ?? file.root
    if (!isEnvironmentName(name)) {
      const message = `No environment can be named \`${name}\`: dist/manifest.json is the manifest.`
      report.add({ code: "bad-name", message, source: file.source, span })
    }
    const first = project.environments.findIndex((other) => {
      return other.name.toLowerCase() === name.toLowerCase() || other.id === id
    })
    const firstNode = nodes[first]
    if (first === at || firstNode === undefined) continue
    report.add({
      code: "duplicate-environment",
      message: `The environment \`${name}\` is here twice; names differ in more than case, and ids differ.`,
      source: file.source,
      span,
      related: [{ message: "The first is here.", place: { source: file.source, span: firstNode } }],
    })
  }
}

function checkOperators(file: ParsedFile, project: Project, report: Report): void {
  const nodes = itemsOf(file, "operators")
  for (const [at, operator] of project.operators.entries()) {
    if (!operators.has(operator) && project.operators.indexOf(operator) === at) continue
    const message = `The operator \`${operator}\` is known already. Remove it here.`
    report.add({ code: "bad-name", message, source: file.source, span: nodes[at] ?? file.root })
  }
}

function checkProtected(file: ParsedFile, project: Project, report: Report): void {
  const nodes = itemsOf(file, "protected")
  const names = project.environments.map(({ name }) => name)
  for (const [at, name] of project.protected.entries()) {
    if (names.includes(name)) continue
    const message = `Unknown environment \`${name}\`${didYouMean(name, names)}`
    report.add({ code: "unknown-environment", message, source: file.source, span: nodes[at] ?? file.root })
  }
}

function itemsOf({ root }: ParsedFile, name: string): readonly Node[] {
  const list = root.kind === "mapping" ? memberOf(root, name)?.value : undefined
  return list?.kind === "sequence" ? list.items : []
}
