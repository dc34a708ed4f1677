import { join } from "node:path"
import { environmentNamePattern } from "../../proxy/contract/environment-name.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { list } from "../diagnostics/suggest.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import { Failure } from "../failure.ts"
import { patternWords } from "../language/names.ts"
import { projectFileName } from "../reading/files/file-names.ts"
import { type Project, parseProject } from "../reading/project.ts"
import type { Configuration, Imported } from "./form/form.ts"
import { nameOf } from "./form/tree.ts"

/** Renames environments. Throws `Failure` for an unknown name, or if a flag then appears twice in one environment. */
export function renameEnvironments(read: Imported, names: ReadonlyMap<string, string>): Imported {
  const theirs = environmentsOf(read)
  for (const name of names.keys())
    if (!theirs.includes(name))
      throw new Failure(`--map ${name}: the files have no such environment, only ${list(theirs)}`)
  const rename = <T extends { readonly environment: string }>(one: T): T => ({
    ...one,
    environment: names.get(one.environment) ?? one.environment,
  })
  for (const { key, configurations } of read.flags)
    for (const [environment, [one, another]] of Map.groupBy(configurations, (one) => rename(one).environment))
      if (one !== undefined && another !== undefined)
        throw new Failure(
          one.environment === another.environment
            ? twiceInFiles(key, one, another)
            : twiceByName(key, [one.environment, another.environment], environment),
        )
  const flags = read.flags.map((flag) => ({ ...flag, configurations: flag.configurations.map(rename) }))
  return { ...read, flags, segments: read.segments.map(rename) }
}

function twiceInFiles(key: string, one: Configuration, another: Configuration): string {
  const { file } = one.node
  return file.environment !== undefined && another.node.file === file
    ? `the flag ${key} appears twice in ${nameOf(file)}: if the file has several environments, leave out ${file.environment}=`
    : `the flag ${key} appears twice in ${one.environment}: name the environment of each file, as in development=dev.json production=prod.json`
}

function twiceByName(key: string, names: readonly string[], ours: string): string {
  const renamed = names.filter((name) => name !== ours).map((name) => `${name}=${ours}`)
  const [one, another] = renamed
  const both =
    another === undefined
      ? `the files have an environment ${ours} too`
      : `both are the environment ${ours} then`
  return `--map ${[one, another].filter(Boolean).join(" and ")}: ${both}, and the flag ${key} is in both`
}

/** A new project with the flags' environments. Throws `Failure` if one of them has an impossible name. */
export function newProject(folder: string, read: Imported, name: string): Project {
  const report = createReport()
  const environments = environmentsOf(read)
  const wrong = environments.find((one) => !environmentNamePattern.test(one))
  if (wrong !== undefined)
    throw new Failure(
      `the environment ${wrong} needs a name of ${patternWords.get(environmentNamePattern.source)}: rename it with --map ${wrong}=default`,
    )
  const production = environments.filter((one) => /^(prod|production|live)$/i.test(one))
  const guessed = "# By their names. flagstone diff lists changes in them first, and warns of risky ones."
  const text = [
    `project: ${yamlLine(name)}`,
    "# In the order in which changes reach them.",
    `environments: ${yamlLine([...environments])}`,
    ...(production.length === 0 ? [] : [guessed, `protected: ${yamlLine([...production])}`]),
  ]
  const source = { path: join(folder, projectFileName), text: `${text.join("\n")}\n` }
  const project = parseProject(source, folder, report)
  if (project !== undefined) return project
  throw new Failure(report.diagnostics[0]?.message ?? "the project file is not valid")
}

/** Throws `Failure` if the project lacks an environment of the flags. */
export function refuseEnvironments(read: Imported, { environments, source }: Project): void {
  const known = environments.map(({ name }) => name)
  const unknown = environmentsOf(read).filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Failure(
      `${source.path} has no environment ${list(unknown)}: add it there, or map it, as in --map ${unknown[0]}=${known[0]}`,
    )
}

/** Production last, because changes reach it last. */
function environmentsOf({ flags }: Imported): readonly string[] {
  const names = flags.flatMap(({ configurations }) => configurations.map(({ environment }) => environment))
  return [...new Set(names)].toSorted((a, b) => Number(/^pro?d/i.test(a)) - Number(/^pro?d/i.test(b)))
}
