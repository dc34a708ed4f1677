import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import {
  createReport,
  type Diagnostic,
  passOn,
  type Report,
  type SourceFile,
} from "../diagnostics/diagnostic.ts"
import { suggest } from "../diagnostics/suggest.ts"
import { parseDuration } from "../duration.ts"
import { Failure } from "../failure.ts"
import { type KnownAttributes, toKnownAttributes, withClock } from "../language/known-attributes.ts"
import { type MappingNode, memberOf, type ParsedFile, toValue } from "../language/tree.ts"
import { parseSource } from "../yaml/parse.ts"
import { checkProject } from "./check-project.ts"
import { type LaneEntry, toFastLane } from "./fast-lane.ts"
import { misnamedProjectFile, projectFileName } from "./files/file-names.ts"
import { createIgnores, type Ignores } from "./files/ignore-globs.ts"
import { readSource } from "./files/read-source.ts"
import { refuseBareRepositories } from "./files/refuse-bare-repositories.ts"
import { projectFileSchema } from "./grammar/project-schema.ts"
import { refuseOddTexts } from "./refuse-odd-texts.ts"

/** A deployment target of the project. */
export interface Environment {
  readonly name: string
  /** The `environmentId` on the wire. */
  readonly id: string
}

/** The project file's settings, and where the flags are. */
export interface Project {
  /** Absolute path of the flags folder. */
  readonly folder: string
  readonly name: string
  /** The `projectId` on the wire. */
  readonly id: string
  readonly environments: readonly Environment[]
  /** The names of the operators that the project adds to Flagstone's own. */
  readonly operators: readonly string[]
  /** The names of the environments whose changes need the most care. */
  readonly protected: readonly string[]
  /** The lowest percentage of users whose change in a protected environment is warned about. */
  readonly manyChange: number
  /** The changes that wait for no one; empty if none do. */
  readonly fastLane: readonly LaneEntry[]
  readonly stale: StaleSettings
  /** The attributes that rules may compare, the clock included; `undefined`: any. */
  readonly attributes: KnownAttributes
  /** The attributes of which something is known: those, or else the clock. */
  readonly knownAttributes: KnownAttributes
  /** The attribute of the time, which ramps compare; `undefined`: none. */
  readonly clock: string | undefined
  /** The only tags that a flag may have; `undefined`: any. */
  readonly tags: readonly string[] | undefined
  /** The members that each flag must have in addition to those that Flagstone needs. */
  readonly required: readonly RequiredField[]
  /** Globs of ignored files below the flags folder, and which files they match. */
  readonly ignore: readonly string[]
  readonly ignores: Ignores
  readonly source: SourceFile
}

/** How long a flag is unchanged before it is stale, in milliseconds; `Infinity`: it never is. */
export interface StaleSettings {
  readonly after: number
  /** For flags with a tag; if a flag has several, the longest counts. */
  readonly byTag: ReadonlyMap<string, number>
}

/** A field that each flag must have, unless it has one of these tags. */
export interface RequiredField {
  readonly field: string
  readonly exceptTagged: readonly string[]
}

/**
 * Reads `project.yaml` of a flags folder. `undefined` if the file has mistakes, or if git must not be started in the
 * folder; both are in the report. Throws `Failure` if there is no such folder or file.
 */
export function readProject(folder: string, report: Report): Project | undefined {
  const source = readProjectFile(folder, report)
  return source && parseProject(source, resolve(folder), report)
}

/** The same without parsing it. */
export function readProjectFile(folder: string, report: Report): SourceFile | undefined {
  const path = join(resolve(folder), projectFileName)
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined)
    throw new Failure(
      `no folder ${folder}: name the flags folder with --flags, or create one with \`flagstone init\``,
    )
  if (!statSync(folder).isDirectory())
    throw new Failure(`${folder} is not a folder: name the flags folder with --flags`)
  const file = lstatSync(path, { throwIfNoEntry: false })
  if (file === undefined && existsSync(join(folder, misnamedProjectFile)))
    throw new Failure(
      `rename ${join(folder, misnamedProjectFile)} to ${projectFileName}: that is the project file's name`,
    )
  const below = file === undefined ? projectFileBelow(folder) : undefined
  if (below !== undefined)
    throw new Failure(
      `${below} is in a subfolder: move it to ${folder}, or name its own folder with --flags ${dirname(below)}`,
    )
  if (file === undefined)
    throw new Failure(
      `no ${projectFileName} in ${folder}: it names the project and its environments; \`flagstone init\` writes one`,
    )
  // Reading a pipe would wait forever, and a link may lead out of the repository.
  if (!file.isFile()) throw new Failure(`${path} is not a regular file: put the project file itself there`)
  return refuseBareRepositories(folder, report) ? undefined : readSource(path, report)
}

/** A project file in a subfolder of the flags folder. */
function projectFileBelow(folder: string): string | undefined {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => basename(path) === projectFileName)
    .map((path) => join(folder, path))
    .find((path) => lstatSync(path).isFile() && /^project:/m.test(readFileSync(path, "utf8")))
}

/** Parses a project file; `undefined` if it has mistakes, which are in the report. */
export function parseProject(source: SourceFile, folder: string, report: Report): Project | undefined {
  const read = parseSettings(source, folder, report)
  return read?.isWhole ? read.project : undefined
}

/** What a project file says without its members that have mistakes. */
export interface ReadSettings {
  readonly project: Project
  /** The members that have mistakes, or are missing, by the names that they should have. */
  readonly broken: ReadonlySet<string>
  /** Whether the file has no mistake at all. */
  readonly isWhole: boolean
}

/** Parses a project file as far as possible, and reports its mistakes; `undefined` if it is not a mapping. */
export function parseSettings(source: SourceFile, folder: string, report: Report): ReadSettings | undefined {
  const found = createReport()
  const file = parseSource(source, found)
  const isReadable = file !== undefined && !refuseOddTexts(file, found)
  if (isReadable) checkProject(file, found)
  const { diagnostics } = found
  passOn(found, report)
  if (!isReadable || file.root.kind !== "mapping") return undefined
  const broken = brokenMembers(file.root, diagnostics)
  const members = file.root.members.filter(({ name }) => !broken.has(name))
  const root = { ...file.root, members }
  return { project: toProject({ source, root }, folder), broken, isWhole: diagnostics.length === 0 }
}

/** A misspelt member stands for the one that it most likely means. */
function brokenMembers(root: MappingNode, mistakes: readonly Diagnostic[]): ReadonlySet<string> {
  const known = Object.keys(projectFileSchema.properties)
  const broken = new Set(["project", "environments"].filter((name) => memberOf(root, name) === undefined))
  for (const { name, nameSpan, value } of root.members) {
    const isWithin = ({ location: { span } }: Diagnostic) =>
      nameSpan.start <= span.start && span.end <= value.end
    if (mistakes.some(isWithin)) broken.add(suggest(name, known) ?? name)
  }
  return broken
}

/** Only for a file whose members have the project file's shape. */
function toProject({ source, root }: ParsedFile, folder: string): Project {
  const file = toValue(root) as {
    readonly project?: string
    readonly id?: string
    readonly environments?: readonly (string | { readonly name: string; readonly id?: string })[]
    readonly operators?: readonly string[]
    readonly protected?: readonly string[]
    readonly diff?: { readonly manyChange?: number }
    readonly stale?: { readonly after?: string; readonly byTag?: Readonly<Record<string, string>> }
    readonly clock?: string
    readonly tags?: readonly string[]
    readonly ignore?: readonly string[]
    readonly require?: readonly (
      | string
      | { readonly field: string; readonly exceptTagged: readonly string[] }
    )[]
  }
  const listed = root.kind === "mapping" ? toKnownAttributes(root) : undefined
  const knownAttributes = withClock(listed, file.clock)
  return {
    folder,
    name: file.project ?? "",
    id: file.id ?? file.project ?? "",
    environments: (file.environments ?? []).map((environment) =>
      typeof environment === "string"
        ? { name: environment, id: environment }
        : { name: environment.name, id: environment.id ?? environment.name },
    ),
    operators: file.operators ?? [],
    protected: file.protected ?? [],
    manyChange: file.diff?.manyChange ?? 50,
    fastLane: toFastLane(root),
    stale: toStaleSettings(file.stale),
    attributes: listed && knownAttributes,
    knownAttributes,
    clock: file.clock,
    tags: file.tags,
    ignore: file.ignore ?? [],
    ignores: createIgnores(file.ignore ?? []),
    required: (file.require ?? []).map((one) =>
      typeof one === "string" ? { field: one, exceptTagged: [] } : one,
    ),
    source,
  }
}

/** Flags with the tag `permanent` are meant to stay, in every project. */
function toStaleSettings({
  after = "30d",
  byTag = {},
}: {
  readonly after?: string
  readonly byTag?: Readonly<Record<string, string>>
} = {}): StaleSettings {
  const milliseconds = (text: string) => parseDuration(text) ?? Number.POSITIVE_INFINITY
  const tags = Object.entries({ permanent: "never", ...byTag })
  return { after: milliseconds(after), byTag: new Map(tags.map(([tag, text]) => [tag, milliseconds(text)])) }
}
