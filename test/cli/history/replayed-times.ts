import { execFileSync } from "node:child_process"
import { parse } from "yaml"

/** The times of one flag: `createdAt`, `updatedAt`, and those of its configurations by environment. */
export interface ReplayedTimes {
  readonly createdAt: string
  readonly updatedAt: string
  readonly configurations: Readonly<Record<string, string>>
}

interface Sections {
  readonly definition: string
  readonly configurations: Readonly<Record<string, string>>
}

/**
 * The times of all flags, found the slow and obvious way: the whole tree of every commit of the first-parent line is
 * listed, and each flag compared with itself one commit before. It shares no code with the code that it checks: git's bare
 * objects, only the yaml package, and its own definition of meaning. For `flags/` at the top, with files that are valid YAML.
 */
export function replayTimes(repository: string): ReadonlyMap<string, ReplayedTimes> {
  const git = (args: readonly string[], input?: string) =>
    execFileSync("git", args, { cwd: repository, input, maxBuffer: 2 ** 30 })
  const commits = git(["rev-list", "--first-parent", "--reverse", "--timestamp", "HEAD"])
    .toString()
    .trim()
    .split("\n")
    .map((line) => line.split(" ") as [string, string])
  const objects = readObjects(git)
  const sections = createSections(objects)
  const listed = commits.map(([, commit]) => `${commit}:flags`).join("\n")
  const trees = git(["cat-file", "--batch-check=%(objectname)"], listed).toString().split("\n")

  let before = new Map<string, Sections>()
  let times = new Map<string, ReplayedTimes>()
  for (const [at, [seconds]] of commits.entries()) {
    const now = new Date(Number(seconds) * 1000).toISOString()
    const after = new Map<string, Sections>()
    const afterTimes = new Map<string, ReplayedTimes>()
    for (const { path, blob } of filesOf(trees[at] ?? "", objects)) {
      if (!/\.ya?ml$/.test(path) || path === "project.yaml") continue
      const fileName = path.split("/").at(-1) ?? ""
      const { key, meaning } = sections(blob, fileName.replace(/\.ya?ml$/, ""))
      const old = before.get(key)
      const oldTimes = times.get(key)
      if (oldTimes !== undefined && old === meaning) {
        after.set(key, meaning)
        afterTimes.set(key, oldTimes)
        continue
      }
      const configurations = Object.entries(meaning.configurations).map(([environment, text]) => {
        const same = old?.configurations[environment] === text
        return [environment, (same ? oldTimes?.configurations[environment] : undefined) ?? now]
      })
      after.set(key, meaning)
      afterTimes.set(key, {
        createdAt: oldTimes?.createdAt ?? now,
        updatedAt:
          oldTimes !== undefined && old?.definition === meaning.definition ? oldTimes.updatedAt : now,
        configurations: Object.fromEntries(configurations),
      })
    }
    before = after
    times = afterTimes
  }
  return times
}

type Objects = ReadonlyMap<string, Buffer>

/** Every blob and tree, whatever commit has it. */
function readObjects(git: (args: readonly string[], input?: string) => Buffer): Objects {
  const ids = git(["cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)"])
    .toString()
    .split("\n")
    .flatMap((line) => /^(?:blob|tree) (.*)/.exec(line)?.[1] ?? [])
  const objects = new Map<string, Buffer>()
  const answer = git(["cat-file", "--batch"], ids.map((id) => `${id}\n`).join(""))
  for (let at = 0; at < answer.length; ) {
    const end = answer.indexOf("\n", at)
    const [id = "", , size] = answer.toString("utf8", at, end).split(" ")
    objects.set(id, answer.subarray(end + 1, end + 1 + Number(size)))
    at = end + 1 + Number(size) + 1
  }
  return objects
}

/** All files of a tree object: entries of `<mode> <name>`, NUL and the 20 bytes of an id. None if it is not a tree. */
function* filesOf(
  tree: string,
  objects: Objects,
): Generator<{ readonly path: string; readonly blob: string }> {
  const bytes = objects.get(tree) ?? Buffer.alloc(0)
  for (let at = 0; at < bytes.length; ) {
    const nul = bytes.indexOf(0, at)
    const [mode, name = ""] = bytes.toString("utf8", at, nul).split(" ")
    const id = bytes.toString("hex", nul + 1, nul + 21)
    at = nul + 21
    if (mode === "40000") {
      for (const { path, blob } of filesOf(id, objects)) yield { path: `${name}/${path}`, blob }
    } else yield { path: name, blob: id }
  }
}

function createSections(objects: Objects) {
  const made = new Map<string, { readonly key: string; readonly meaning: Sections }>()
  return (blob: string, name: string) => {
    const known = made.get(`${blob} ${name}`)
    if (known !== undefined) return known
    const file = parse(objects.get(blob)?.toString("utf8") ?? "")
    const key: string = file.key ?? name
    const definition = sorted({
      id: file.id,
      name: file.name ?? key,
      description: file.description ?? "",
      type: file.type ?? "boolean",
      defaultValue: file.defaultValue,
    })
    const configurations = Object.entries<Record<string, unknown>>(file.environments ?? {}).map(
      ([environment, { id, enabled, rules }]) => [environment, sorted({ id, enabled, rules: rules ?? [] })],
    )
    const meaning = { definition, configurations: Object.fromEntries(configurations) }
    const result = { key, meaning }
    made.set(`${blob} ${name}`, result)
    return result
  }
}

/** JSON with every object's members sorted. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_name, item) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}
