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
 * listed, and each flag compared with itself one commit before. It shares no code with what it checks: other git
 * commands, the yaml package alone, and a meaning of its own. For `flags/` at the top, of files that are valid YAML.
 */
export function replayTimes(repository: string): ReadonlyMap<string, ReplayedTimes> {
  const git = (args: readonly string[], input?: string) =>
    execFileSync("git", args, { cwd: repository, input, maxBuffer: 2 ** 30 })
  const commits = git(["rev-list", "--first-parent", "--reverse", "--timestamp", "HEAD"])
    .toString()
    .trim()
    .split("\n")
    .map((line) => line.split(" ") as [string, string])
  const sections = readAllSections(git)

  let before = new Map<string, Sections>()
  let times = new Map<string, ReplayedTimes>()
  for (const [seconds, commit] of commits) {
    const now = new Date(Number(seconds) * 1000).toISOString()
    const after = new Map<string, Sections>()
    const afterTimes = new Map<string, ReplayedTimes>()
    for (const line of git(["ls-tree", "-r", "-z", commit, "flags/"]).toString().split("\0")) {
      const [info = "", path = ""] = line.split("\t")
      const fileName = path.split("/").at(-1) ?? ""
      if (!/\.ya?ml$/.test(path) || path === "flags/project.yaml") continue
      const { key, meaning } = sections(info.split(" ")[2] ?? "", fileName.replace(/\.ya?ml$/, ""))
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

function readAllSections(git: (args: readonly string[], input?: string) => Buffer) {
  const ids = git(["cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)"])
    .toString()
    .split("\n")
    .filter((line) => line.startsWith("blob "))
    .map((line) => line.slice("blob ".length))
  const texts = new Map<string, string>()
  const answer = git(["cat-file", "--batch"], ids.map((id) => `${id}\n`).join(""))
  for (let at = 0; at < answer.length; ) {
    const end = answer.indexOf("\n", at)
    const [id = "", , size] = answer.toString("utf8", at, end).split(" ")
    texts.set(id, answer.toString("utf8", end + 1, end + 1 + Number(size)))
    at = end + 1 + Number(size) + 1
  }
  const made = new Map<string, { readonly key: string; readonly meaning: Sections }>()
  return (blob: string, name: string) => {
    const known = made.get(`${blob} ${name}`)
    if (known !== undefined) return known
    const file = parse(texts.get(blob) ?? "")
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

/** JSON with every object's members in order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_name, item) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}
