import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { list } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"
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
            : `--map makes ${environment} of ${one.environment} and ${another.environment}, and the flag ${key} is in both`,
        )
  const flags = read.flags.map((flag) => ({ ...flag, configurations: flag.configurations.map(rename) }))
  const named = read.named?.map((environment) => rename({ environment }).environment)
  const remarks = read.remarks.map((one) => {
    const { environment } = one
    return environment === undefined ? one : rename({ ...one, environment })
  })
  return { ...read, flags, segments: read.segments.map(rename), remarks, ...(named && { named }) }
}

function twiceInFiles(key: string, one: Configuration, another: Configuration): string {
  const { file } = one.node
  return file.environment !== undefined && another.node.file === file
    ? `the flag ${key} appears twice in ${nameOf(file)}: if the file has several environments, leave out ${file.environment}=`
    : `the flag ${key} appears twice in ${one.environment}: name the environment of each file, as in development=dev.json production=prod.json`
}

/** Throws `Failure` if the project lacks an environment of the flags. */
export function refuseEnvironments(
  read: Imported,
  {
    environments,
    source,
  }: { readonly environments: readonly { readonly name: string }[]; readonly source: SourceFile },
): void {
  const known = environments.map(({ name }) => name)
  const unknown = environmentsOf(read).filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Failure(
      `${source.path} has no environment ${list(unknown)}: add it there, or map it, as in --map ${unknown[0]}=${known[0]}`,
    )
}

/** Environments that the user names but no flag has, then those of flags; production last, because changes reach it last. */
export function environmentsOf({ flags, named = [] }: Imported): readonly string[] {
  const ofFlags = flags.flatMap(({ configurations }) => configurations.map(({ environment }) => environment))
  const without = named.filter((name) => !ofFlags.includes(name))
  return [...new Set([...without, ...ofFlags])].toSorted(
    (a, b) => Number(/^pro?d/i.test(a)) - Number(/^pro?d/i.test(b)),
  )
}
