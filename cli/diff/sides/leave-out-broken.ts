import type { ResolvedFlag } from "../../compile/flags/resolve.ts"
import { compareText } from "../../diagnostics/diagnostic.ts"
import type { OpenSide } from "./open-sides.ts"
import type { Side } from "./side.ts"

/** What a diff leaves out, because it has errors before the change. */
export interface NotCompared {
  /** Whether that includes the project file; then no flag is compared. */
  readonly project: boolean
  /** The keys that the flags have before or after the change, sorted. */
  readonly flags: readonly string[]
}

/**
 * The two sides without what has an error before the change. A flag is left out on both sides if its file or its key is
 * one of a broken file: otherwise the flag that a pull request repairs would look like a new one.
 */
export function leaveOutBroken(
  before: OpenSide,
  after: Side,
): { readonly before: Side; readonly after: Side; readonly notCompared?: NotCompared } {
  const { brokenFiles, brokenKeys } = before
  if (brokenFiles.size === 0) return { before, after }
  if (before.project === undefined) {
    const nothing = { project: after.project, flags: [] }
    const keys = new Set([...brokenKeys, ...after.flags.map(({ flag }) => flag.key)])
    return { before: nothing, after: nothing, notCompared: { project: true, flags: sorted(keys) } }
  }
  const isBroken = ({ flag, definition }: ResolvedFlag) =>
    brokenKeys.has(flag.key) || brokenFiles.has(definition.source.path)
  const repaired = after.flags.filter(isBroken).map(({ flag }) => flag.key)
  return {
    before: { ...before, flags: before.flags.filter((flag) => !isBroken(flag)) },
    after: { ...after, flags: after.flags.filter((flag) => !isBroken(flag)) },
    notCompared: { project: false, flags: sorted(new Set([...brokenKeys, ...repaired])) },
  }
}

function sorted(keys: ReadonlySet<string>): readonly string[] {
  return [...keys].sort(compareText)
}
