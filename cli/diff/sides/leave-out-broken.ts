import { compareText, type Diagnostic } from "../../diagnostics/diagnostic.ts"
import type { Flag } from "../../language/flag.ts"
import { isInvariantsPath } from "../../reading/files/file-names.ts"
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
    const keys = new Set([...brokenKeys, ...after.flags.map(({ key }) => key)])
    return { before: nothing, after: nothing, notCompared: { project: true, flags: sorted(keys) } }
  }
  const isBroken = ({ key, source }: Flag) => brokenKeys.has(key) || brokenFiles.has(source.path)
  const repaired = after.flags.filter(isBroken).map(({ key }) => key)
  return {
    before: { ...before, flags: before.flags.filter((flag) => !isBroken(flag)) },
    after: { ...after, flags: after.flags.filter((flag) => !isBroken(flag)) },
    notCompared: { project: false, flags: sorted(new Set([...brokenKeys, ...repaired])) },
  }
}

/** Two sides without the errors in invariants files, and without the invariants of these files on either side. */
export interface WithoutBrokenInvariants {
  readonly before: OpenSide
  readonly after: OpenSide
  /** The errors after the change or, if there are none, before it; `undefined`: nothing is left out. */
  readonly left: { readonly side: "before" | "after"; readonly errors: readonly Diagnostic[] } | undefined
}

/** Leaves out the files of invariants that have an error on either side: what flags give does not depend on them. */
export function leaveOutBrokenInvariants(sides: {
  readonly before: OpenSide
  readonly after: OpenSide
}): WithoutBrokenInvariants {
  const isLeft = ({ location }: Diagnostic) => isInvariantsPath(location.source.path)
  const [before, after] = [sides.before.errors.filter(isLeft), sides.after.errors.filter(isLeft)]
  if (before.length + after.length === 0) return { ...sides, left: undefined }
  const paths = new Set([...before, ...after].map(({ location }) => location.source.path))
  const without = ({ errors, brokenFiles, invariants = [], ...side }: OpenSide): OpenSide => ({
    ...side,
    errors: errors.filter((error) => !isLeft(error)),
    brokenFiles: new Set([...brokenFiles].filter((path) => !paths.has(path))),
    invariants: invariants.filter(({ source }) => !paths.has(source.path)),
  })
  return {
    before: without(sides.before),
    after: without(sides.after),
    left: after.length > 0 ? { side: "after", errors: after } : { side: "before", errors: before },
  }
}

function sorted(keys: ReadonlySet<string>): readonly string[] {
  return [...keys].sort(compareText)
}
