import { compareSides } from "../diff/diff.ts"
import { changesReport } from "../diff/format/report.ts"
import { openSides } from "../diff/sides/open-sides.ts"
import type { Host } from "../host.ts"
import { filesOf, type Input } from "../project/input.ts"
import { reportText } from "../report/report-text.ts"

/** Describes what each build changes, in the words of `diff`. */
export interface ChangeLog {
  /** Notes that the flags have errors; the last good build is still served. */
  noteErrors(): void
  /** What changed from the last good flags to these, which have no errors. */
  describe(flags: Input): Promise<string>
}

/** `first` is what is served at the start. */
export function createChangeLog(first: Input, host: Pick<Host, "cwd" | "now">): ChangeLog {
  let before = first
  let hadErrors = false
  return {
    noteErrors() {
      hadErrors = true
    },
    async describe(flags) {
      const sides = await openSides(filesOf(before), filesOf(flags))
      const recovery = hadErrors ? "No more errors. " : ""
      const diff = await compareSides(sides.before, sides.after, { now: host.now() })
      before = flags
      hadErrors = false
      const text = reportText(changesReport(diff), { folder: host.cwd, colour: false })
      return `${timeOfDay(host.now())} ${recovery}${text}`.trimEnd()
    },
  }
}

/** The local time, such as `14:02:11`. */
function timeOfDay(time: number): string {
  return new Date(time).toTimeString().slice(0, 8)
}
