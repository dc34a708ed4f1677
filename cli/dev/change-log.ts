import { compareSides } from "../diff/diff.ts"
import { changesReport } from "../diff/format/report.ts"
import type { Tree } from "../diff/revisions/tree.ts"
import { compileSides } from "../diff/sides/compile-sides.ts"
import type { Host } from "../host.ts"
import { reportText } from "../report/report-text.ts"

/** Describes what each build changes, in the words of `diff`. */
export interface ChangeLog {
  /** Notes that the flags have errors; the last good build is still served. */
  noteErrors(): void
  /** What changed from the last good flags to these; `undefined` if they are no longer good. */
  describe(flags: Tree): Promise<string | undefined>
}

/** `first` is what is served at the start; `folder` the absolute path of the flags. */
export function createChangeLog(first: Tree, folder: string, host: Pick<Host, "cwd" | "now">): ChangeLog {
  let before = first
  let hadErrors = false
  return {
    noteErrors() {
      hadErrors = true
    },
    async describe(flags) {
      const sides = await compileSides(before, flags, folder)
      if (sides.after.errors.length > 0) return undefined // edited before they were built: the next build follows
      const recovery = hadErrors ? "No more errors. " : ""
      const diff = await compareSides(sides.before, sides.after)
      before = flags
      hadErrors = false
      const text = reportText(changesReport(diff, host.cwd), { folder: host.cwd, colour: false })
      return `${timeOfDay(host.now())} ${recovery}${text}`.trimEnd()
    },
  }
}

/** The local time, such as `14:02:11`. */
function timeOfDay(time: number): string {
  return new Date(time).toTimeString().slice(0, 8)
}
