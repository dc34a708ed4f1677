import { existsSync, lstatSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { environmentNamePattern, isEnvironmentName } from "../../../proxy/contract/environment-name.ts"
import type { Report, SourceFile } from "../../diagnostics/diagnostic.ts"
import { didYouMean, list, quoted } from "../../diagnostics/suggest.ts"
import { Failure } from "../../failure.ts"
import { parseSource } from "../yaml/parse.ts"
import { memberOf, type Node, type ParsedFile, toValue } from "../yaml/tree.ts"
import type { Text } from "./definition.ts"
import { misnamedProjectFile, projectFileName } from "./file-names.ts"
import { createIgnores, type Ignores } from "./ignore-globs.ts"
import { type KnownAttributes, toKnownAttributes } from "./known-attributes.ts"
import { groupKinds, operators } from "./operators.ts"
import { readSource } from "./read.ts"
import { projectFileSchema } from "./schema.ts"
import { createShapeCheck } from "./shape.ts"

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
  /** The names of the environments whose changes need the most care. */
  readonly protected: readonly string[]
  readonly attributes: KnownAttributes
  /** The only tags that a flag may have; `undefined`: any. */
  readonly tags: readonly string[] | undefined
  /** The members that each flag must have beside those that Flagstone needs. */
  readonly required: readonly Requirement[]
  /** Globs of files below the flags folder that are none of the project's, and which files they mean. */
  readonly ignore: readonly string[]
  readonly ignores: Ignores
  readonly source: SourceFile
}

/** A member that each flag must have, unless it has one of these tags. */
export interface Requirement {
  readonly member: string
  readonly exceptTagged: readonly string[]
}

/**
 * Reads `project.yaml` of a flags folder. `undefined` where the file has mistakes; they are in the report.
 * Throws `Failure` where there is no such folder or file.
 */
export function readProject(folder: string, report: Report): Project | undefined {
  const path = join(resolve(folder), projectFileName)
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined)
    throw new Failure(
      `no folder ${folder}: name the flags folder with --flags, or start one with flagstone init`,
    )
  if (!statSync(folder).isDirectory())
    throw new Failure(`${folder} is not a folder: name the flags folder with --flags`)
  const file = lstatSync(path, { throwIfNoEntry: false })
  if (file === undefined && existsSync(join(folder, misnamedProjectFile)))
    throw new Failure(
      `rename ${join(folder, misnamedProjectFile)} to ${projectFileName}: that is the project file's name`,
    )
  if (file === undefined)
    throw new Failure(
      `no ${projectFileName} in ${folder}: it names the project and its environments; flagstone init writes one`,
    )
  // Reading a pipe would wait forever, and a link may lead out of the repository.
  if (!file.isFile()) throw new Failure(`${path} is not a regular file: put the project file itself there`)
  const source = readSource(path, report)
  return source === undefined ? undefined : parseProject(source, resolve(folder), report)
}

/** What a project file says; `undefined` where it has mistakes, which are in the report. */
export function parseProject(source: SourceFile, folder: string, report: Report): Project | undefined {
  const before = report.diagnostics.length
  const file = parseSource(source, report)
  if (file === undefined) return undefined
  checkProjectShape(file, report)
  checkEnvironments(file, report)
  checkOperators(file, report)
  checkProtected(file, report)
  checkExceptions(file, report)
  return report.diagnostics.length > before ? undefined : toProject(file, folder)
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
    readonly tags?: readonly string[]
    readonly ignore?: readonly string[]
    readonly require?: readonly (
      | string
      | { readonly member: string; readonly exceptTagged: readonly string[] }
    )[]
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
    attributes: root.kind === "mapping" ? toKnownAttributes(root) : undefined,
    tags: file.tags,
    ignore: file.ignore ?? [],
    ignores: createIgnores(file.ignore ?? []),
    required: (file.require ?? []).map((one) =>
      typeof one === "string" ? { member: one, exceptTagged: [] } : one,
    ),
    source,
  }
}

function checkEnvironments(file: ParsedFile, report: Report): void {
  const { source } = file
  const seen: EnvironmentName[] = []
  for (const name of itemsOf(file, "environments").flatMap(environmentName)) {
    if (environmentNamePattern.test(name.text) && !isEnvironmentName(name.text)) {
      const message = `No environment can be named \`${name.text}\`: dist/manifest.json is the manifest.`
      report.add({ code: "bad-name", message, source, span: name.span })
    }
    const first = seen.find(
      (other) => other.text.toLowerCase() === name.text.toLowerCase() || other.id === name.id,
    )
    seen.push(name)
    if (first === undefined) continue
    report.add({
      code: "duplicate-environment",
      message: sameEnvironment(name, first),
      source,
      span: name.span,
      related: [{ message: "The first is here.", location: { source, span: first.span } }],
    })
  }
}

interface EnvironmentName extends Text {
  readonly id: string
}

function sameEnvironment(name: EnvironmentName, first: EnvironmentName): string {
  const [both, twice] = [list([first.text, name.text]), quoted(name.text)]
  if (name.text === first.text) return `The environment ${twice} is here twice. Remove one of them.`
  if (name.text.toLowerCase() === first.text.toLowerCase())
    return `${both} differ only in case, and some file systems have one file for both. Rename or remove one of them.`
  return `${both} have the same id ${quoted(name.id)}. Change one of them.`
}

/** An environment's name and id where they are text; nothing where the shape is wrong, which has been reported. */
function environmentName(node: Node): readonly EnvironmentName[] {
  const name = node.kind === "mapping" ? memberOf(node, "name")?.value : node
  const id = node.kind === "mapping" ? memberOf(node, "id")?.value : undefined
  if (name?.kind !== "scalar" || typeof name.value !== "string") return []
  const written = id?.kind === "scalar" && typeof id.value === "string" ? id.value : name.value
  return [{ text: name.value, span: node, id: written }]
}

function checkOperators(file: ParsedFile, report: Report): void {
  const known = new Set<unknown>([...operators.keys(), ...groupKinds])
  for (const node of itemsOf(file, "operators")) {
    const operator = toValue(node)
    if (known.has(operator)) {
      const message = `The operator \`${operator}\` is known already. Remove it here.`
      report.add({ code: "bad-name", message, source: file.source, span: node })
    }
    known.add(operator)
  }
}

function checkProtected(file: ParsedFile, report: Report): void {
  const names = itemsOf(file, "environments")
    .flatMap(environmentName)
    .map(({ text }) => text)
  if (names.length === 0) return // the shape is wrong, which has been reported
  for (const node of itemsOf(file, "protected")) {
    const name = toValue(node)
    if (typeof name !== "string" || names.includes(name)) continue
    const message = `Unknown environment ${quoted(name)}${didYouMean(name, names)}`
    report.add({ code: "unknown-environment", message, source: file.source, span: node })
  }
}

/** A tag that excuses a flag is one that a flag can have. */
function checkExceptions(file: ParsedFile, report: Report): void {
  const tags = itemsOf(file, "tags").map(toValue)
  if (tags.length === 0) return
  for (const requirement of itemsOf(file, "require")) {
    const excepted = requirement.kind === "mapping" ? memberOf(requirement, "exceptTagged")?.value : undefined
    for (const node of excepted?.kind === "sequence" ? excepted.items : []) {
      const tag = toValue(node)
      if (typeof tag !== "string" || tags.includes(tag)) continue
      const known = tags.filter((one) => typeof one === "string")
      const message = `Unknown tag ${quoted(tag)}${didYouMean(tag, known)}`
      report.add({ code: "unknown-tag", message, source: file.source, span: node })
    }
  }
}

function itemsOf({ root }: ParsedFile, name: string): readonly Node[] {
  const list = root.kind === "mapping" ? memberOf(root, name)?.value : undefined
  return list?.kind === "sequence" ? list.items : []
}
