import { resolve } from "node:path"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { formatCounts } from "../diagnostics/format-text.ts"
import { printMistakes } from "../diagnostics/print.ts"
import { printable } from "../diagnostics/printable.ts"
import { comparisonReport } from "../diff/format/report.ts"
import { type Endpoint, findFlagsFolder, readEndpoints } from "../diff/revisions/endpoints.ts"
import { filesAt } from "../diff/revisions/files-at.ts"
import { type OpenSide, openSide } from "../diff/sides/open-sides.ts"
import { environmentNames } from "../diff/sides/side.ts"
import { chooseEnvironment } from "../evaluate/choose-environment.ts"
import { Failure } from "../failure.ts"
import type { ExitStatus, Host } from "../host.ts"
import type { Flag } from "../language/flag.ts"
import { folderFiles, withTexts } from "../project/files.ts"
import { chooseFlags, environmentsOf } from "../promote/choose-flags.ts"
import { compareEnvironments } from "../promote/compare-environments.ts"
import { promoteFlag } from "../promote/promote-flag.ts"
import { conditionsIn } from "../reading/conditions-in-file.ts"
import { printReport } from "../report/formats.ts"
import type { PromoteOptions } from "./promote-options.ts"

/**
 * Prints on stdout what differs between two environments, each as it is in the work tree or in a commit. Returns 1 if
 * anything does, 2 if one of them has errors.
 */
export async function checkPromotion(
  keys: readonly string[],
  options: PromoteOptions,
  host: Host,
): Promise<ExitStatus> {
  const folder = resolve(host.cwd, options.flags)
  const from = await readPlace(options.from, folder, host)
  const isSameTree = revisionOf(options.from) === revisionOf(options.to)
  const to = isSameTree
    ? { ...from, name: options.to, environment: environmentOf(options.to) }
    : await readPlace(options.to, folder, host)
  const broken = (isSameTree ? [from] : [from, to]).filter(({ side }) => side.errors.length > 0)
  for (const { side, name } of broken) {
    printMistakes(side.errors, host)
    const end = revisionOf(name) === undefined ? "the work tree" : printable(name)
    host.stderr.write(`${end}: ${formatCounts(side.errors)}, so it cannot be compared\n`)
  }
  if (broken.length > 0) return 2
  const names = [...new Set([...environmentNames(from.side), ...environmentNames(to.side)])]
  const [source, target] = environmentsOf({ from: from.environment, to: to.environment }, names)
  const endOf = (name: string) => printable(revisionOf(name) ?? "the work tree")
  chooseEnvironment(source, environmentNames(from.side), ` in ${endOf(from.name)}`)
  chooseEnvironment(target, environmentNames(to.side), ` in ${endOf(to.name)}`)
  if (source === target && from.name === to.name) throw new Failure(`--from and --to are both ${from.name}`)
  const chosen = new Set(
    chooseFlags([...from.side.flags, ...to.side.flags], keys, options.tag).map(({ key }) => key),
  )
  const cut = (side: OpenSide) => ({
    ...side,
    flags: side.flags.filter(({ key }) => chosen.has(key)),
  })
  const diff = await compareEnvironments(
    { side: cut(from.side), environment: source },
    { side: cut(to.side), environment: target },
    isSameTree && revisionOf(options.from) === undefined
      ? await promoteDependents(cut(from.side).flags, source, target, folder)
      : new Map(),
    host.now(),
  )
  const endpoint = (name: string): Endpoint => ({ kind: "work-tree", name })
  const shown = {
    ...{ diff, replay: undefined, cwd: host.cwd },
    // The heading names the source first, as a promotion does.
    before: endpoint(from.name),
    after: endpoint(to.name.replace(/^[^@]*/, () => target)),
    addressOf: () => undefined,
  }
  printReport(comparisonReport(shown), options.format, host)
  return diff.changes.length > 0 ? 1 : 0
}

/** Opens the project that `production` or `production@v1.4` refers to. */
async function readPlace(name: string, folder: string, host: Host) {
  const [environment, revision] = [environmentOf(name), revisionOf(name)]
  if (revision === undefined) return { environment, name, side: await openSide(folderFiles(folder)) }
  const found = await findFlagsFolder(folder, host.git)
  const { before } = await readEndpoints(revision, undefined, found, host.git)
  return { environment, name, side: await openSide(await filesAt(before, found, host.git)) }
}

const environmentOf = (place: string) => place.replace(/@.*/s, "")
/** `undefined`: the work tree. */
const revisionOf = (place: string) => /@(.*)/s.exec(place)?.[1]

/**
 * The flags in the work tree that depend on other flags, as they would be once all flags are promoted: a build copies
 * the other flag's rules in the same environment into them.
 */
async function promoteDependents(
  flags: readonly Flag[],
  from: string,
  to: string,
  folder: string,
): Promise<ReadonlyMap<string, Flag>> {
  const dependents = new Set<string>()
  const edited: SourceFile[] = []
  for (const flag of flags) {
    const promotion = promoteFlag(flag, { from, to, own: "replace", share: undefined })
    if (promotion.kind === "edited") edited.push(promotion.source)
    else if (promotion.kind !== "same") continue
    if ([...conditionsIn(flag)].some(({ kind }) => kind === "flag")) dependents.add(flag.key)
  }
  if (dependents.size === 0) return new Map()
  const after = await openSide(withTexts(folderFiles(folder), edited))
  return new Map(after.flags.flatMap((one) => (dependents.has(one.key) ? [[one.key, one]] : [])))
}
