import { dataFilesUsed } from "../checks/data-files-are-used.ts"
import type { WorkTree } from "../evaluate/read-work-tree.ts"
import type { Flag, Segment } from "../language/flag.ts"
import { conditionsIn } from "../reading/conditions-in-file.ts"

/** The paths of the files that decide what a flag gives: its own, and those of what it uses, directly or through others. */
export function filesBehind(flag: Flag, { flags, segments }: WorkTree): readonly string[] {
  const used = new Set<Flag | Segment>([flag])
  // Iterating a set also visits what is added meanwhile.
  for (const file of used)
    for (const part of conditionsIn(file)) {
      const other =
        part.kind === "flag" ? flags.get(part.key) : part.kind === "segment" && segments.get(part.name)
      if (other) used.add(other)
    }
  const data = [...dataFilesUsed([...used])].flatMap((name) => flag.references.files?.get(name) ?? [])
  return [...[...used].map(({ source }) => source), ...data].map(({ path }) => path)
}
