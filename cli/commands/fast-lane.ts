import { loadExpressions } from "../../sdk/evaluation/expression.ts"
import { where } from "../diagnostics/format-text.ts"
import { phrase, plainPhrase } from "../diagnostics/phrase.ts"
import { printable } from "../diagnostics/printable.ts"
import { pathsFrom } from "../diagnostics/terminal.ts"
import { firstOtherFile } from "../diff/lane/changed-files.ts"
import { judgeLane, outside, type Verdict } from "../diff/lane/judge.ts"
import { type Endpoints, isTip } from "../diff/revisions/endpoints.ts"
import type { Side } from "../diff/sides/side.ts"
import type { ExitStatus, Host } from "../host.ts"
import type { Condition } from "../language/condition.ts"
import { listUsesIn } from "../language/references.ts"
import type { FlagsFolder } from "../project/commit-files.ts"
import { sentConditions } from "../reading/conditions-in-file.ts"

/** Two sides without errors, and where they come from. */
export interface LaneSides {
  readonly endpoints: Endpoints
  readonly folder: FlagsFolder
  readonly before: Side
  readonly after: Side
}

/** Prints whether a change stays inside the fast lane of its base, and why. Returns 1 if it does not. */
export async function runFastLane(sides: LaneSides, host: Host): Promise<ExitStatus> {
  const { isInside, words, nearest } = await verdictOn(sides, host)
  const text = printable(plainPhrase(words))
  host.stdout.write(`${isInside ? "inside" : "outside"} the fast lane: ${text}\n`)
  if (nearest !== undefined)
    host.stdout.write(
      `  ${where(nearest.location, pathsFrom(host))} nearest: ${printable(plainPhrase(nearest.words))}\n`,
    )
  return isInside ? 0 : 1
}

async function verdictOn({ endpoints, folder, before, after }: LaneSides, host: Host): Promise<Verdict> {
  const { project } = before
  if (project === undefined || project.fastLane.length === 0)
    return outside(phrase`${endpoints.before.name} has no ${"fastLane"} in ${"project.yaml"}`)
  if (!(await isTip(endpoints, folder, host.git)))
    return outside(
      phrase`the branch lacks commits of its base, where the lane may be a different one: update it`,
    )
  const lists = listsOfFlags([before, after])
  const file = await firstOtherFile(endpoints, folder, project.ignores, lists, host.git)
  if (file !== undefined) return outside(phrase`${file} is not the file of a flag`)
  // The host's clock: the date of a commit is what its author says.
  return judgeLane(before, after, await loadExpressions(), host.now())
}

/** The lists that flags name, and no segment and no invariant: what an edit of one does to users is judged with the flags. */
function listsOfFlags(sides: readonly Side[]): ReadonlySet<string> {
  const filesIn = (conditions: Iterable<Condition | undefined>) =>
    [...conditions].flatMap((condition) => (condition ? listUsesIn(condition) : [])).map(({ file }) => file)
  const others = new Set(
    sides.flatMap(({ segments, invariants = [] }) => [
      ...filesIn(segments?.conditions.values() ?? []),
      ...filesIn(invariants.flatMap(({ conditions }) => conditions)),
    ]),
  )
  const files = sides.flatMap(({ flags }) => filesIn(flags.flatMap(sentConditions)))
  return new Set(files.filter((file) => !others.has(file)))
}
