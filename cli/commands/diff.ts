import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { Command, Option } from "commander"
import { type Diagnostic, errorsIn, type SourceFile } from "../diagnostics/diagnostic.ts"
import { formatCounts } from "../diagnostics/format-text.ts"
import { plural } from "../diagnostics/plural.ts"
import { printMistakes } from "../diagnostics/print.ts"
import { didYouMean } from "../diagnostics/suggest.ts"
import type { Scope } from "../diff/changes/change.ts"
import { type CodeReferences, keysThatGo } from "../diff/changes/code-references.ts"
import { acceptableCodes, type Diff } from "../diff/changes/diff.ts"
import { acceptWarnings, compareSides } from "../diff/diff.ts"
import { createAddresses } from "../diff/format/addresses.ts"
import { diffReport } from "../diff/format/report.ts"
import { type Endpoint, findFlagsFolder, readEndpoints, timeOf } from "../diff/revisions/endpoints.ts"
import { filesAt } from "../diff/revisions/files-at.ts"
import { leaveOutBroken, leaveOutBrokenInvariants, type NotCompared } from "../diff/sides/leave-out-broken.ts"
import { openSides } from "../diff/sides/open-sides.ts"
import { environmentNames, type Side } from "../diff/sides/side.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { keyOfFile } from "../reading/files/file-names.ts"
import { printReport, reportFormats } from "../report/formats.ts"
import { acceptLabelsOption, acceptOption } from "./accept-options.ts"
import { addToList, catalogUrlOption, flagsOption, namesOf, type OptionsOf, parseCount } from "./options.ts"

const declareDiff = () =>
  new Command("diff")
    .argument("[base]", "a commit, or two as a..b or a...b (from their merge base)")
    .argument("[head]", "a commit (default: the work tree)")
    .addOption(flagsOption())
    .addOption(
      new Option("--format <format>", "the output format").choices(namesOf(reportFormats)).default("text"),
    )
    .addOption(
      new Option("--only <environments>", "only these environments, separated by commas").argParser(
        addToList,
      ),
    )
    .option("--contexts <file>", "contexts to compare, one JSON object per line (- for stdin)")
    .addOption(
      new Option(
        "--max-warnings <number>",
        "exit with status 1 if there are more warnings than this",
      ).argParser(parseCount),
    )
    .addOption(acceptOption())
    .addOption(acceptLabelsOption())
    .option(
      "--keys <file>",
      "the key file, to list keys of removed environments (default: keys.yaml, if it exists)",
    )
    .addOption(catalogUrlOption("with --format markdown, link to this catalogue, such as the branch's"))
    .addOption(
      new Option(
        "--code <paths>",
        "list where these files and folders still refer to flags that are removed or renamed",
      ).argParser(addToList),
    )
    .option("--exit-code", "exit with status 1 if there are changes")
    .addOption(
      new Option(
        "--fast-lane",
        "print whether the change stays inside the base's fastLane; exit with status 1 if not",
      ).conflicts([
        ...[
          "format",
          "only",
          "contexts",
          "maxWarnings",
          "accept",
          "acceptLabels",
          "catalogUrl",
          "code",
          "exitCode",
        ],
        "tolerateBrokenBase",
      ]),
    )
    .option("--tolerate-broken-base", "leave out flags with an error in the base, and list them")
    .addHelpText("after", "\nExample:\n  $ flagstone diff origin/main... --format markdown")

/** The options of `diff`. */
export type DiffOptions = OptionsOf<typeof declareDiff>

export const diffCommand = (host: Host, exit: Exit) =>
  declareDiff().action((first, second, options) => exit(runDiff(first, second, options, host)))

/**
 * Compares two revisions and prints what changes. A side with errors cannot be compared: they are printed on stderr. A
 * broken base can be tolerated, so that the change that repairs it can be checked. Throws `Failure` if a side cannot be
 * read.
 */
export async function runDiff(
  first: string | undefined,
  second: string | undefined,
  options: DiffOptions,
  host: Host,
): Promise<ExitStatus> {
  const folder = await findFlagsFolder(resolve(host.cwd, options.flags), host.git)
  const endpoints = await readEndpoints(first, second, folder, host.git)
  const sides = await openSides(
    await filesAt(endpoints.before, folder, host.git),
    await filesAt(endpoints.after, folder, host.git),
  )
  const { left, ...opened } =
    options.fastLane === true ? { ...sides, left: undefined } : leaveOutBrokenInvariants(sides)
  const isTolerated = options.tolerateBrokenBase === true && opened.after.errors.length === 0
  const { before, after, notCompared }: ReturnType<typeof leaveOutBroken> = isTolerated
    ? leaveOutBroken(opened.before, opened.after)
    : opened
  const consequence = consequenceOf(isTolerated ? notCompared : undefined)
  for (const side of ["before", "after"] as const)
    printErrors(endpoints[side], opened[side].errors, consequence, host)
  if (left !== undefined)
    printErrors(endpoints[left.side], left.errors, "its invariants are not checked", host)
  if (!isTolerated && opened.before.errors.length + opened.after.errors.length > 0) return 2
  const project = (after.project ?? before.project)?.name
  if (project === undefined)
    throw new Failure(
      `no project.yaml in ${options.flags} on either side: name the flags folder with --flags`,
    )
  if (options.fastLane === true)
    return (await import("./fast-lane.ts")).runFastLane({ endpoints, folder, before, after }, host)
  const names = [...environmentNames(before), ...environmentNames(after)]
  const scope = scopeOf(options.only, names)
  const compared = await compareSides(before, after, {
    scope,
    now: await timeOf(endpoints.after, host.now(), folder, host.git),
  })
  const whole = { ...compared, ...(notCompared === undefined ? {} : { notCompared }) }
  const diff = acceptWarnings(whole, [...(options.accept ?? []), ...(options.acceptLabels ?? [])])
  const replay =
    options.contexts === undefined
      ? undefined
      : await (await import("../diff/changes/replay.ts")).replayContexts(
          options.contexts,
          before,
          after,
          scope,
          host,
        )
  const addressOf = createAddresses(host.env, folder, endpoints)
  const { catalogUrl } = options
  const code =
    options.code &&
    (await referencesTo(keysThatGo(diff), opened.after.sources, options.code, folder.path, host))
  const shown = { ...endpoints, diff, replay, code, cwd: host.cwd, addressOf, catalogUrl }
  printReport(diffReport(shown, project), options.format, host)
  await warnOfKeys(before, after, options.keys, host)
  if (isRefused(diff, options, host) || left?.side === "after") return 1
  return options.exitCode === true && (diff.changes.length > 0 || notCompared !== undefined) ? 1 : 0
}

/** Whether there is an error, or more warnings than allowed; stderr says so. */
function isRefused({ warnings: all }: Diff, options: DiffOptions, host: Host): boolean {
  const { maxWarnings = Number.POSITIVE_INFINITY } = options
  const warnings = all.filter(({ severity }) => severity === "warning")
  if (warnings.length > maxWarnings) {
    const accept = acceptableCodes(warnings).map((code) => `--accept ${code}`)
    const advice = `: if intended, run with ${accept.join(" ")}`
    host.stderr.write(`${formatCounts(all)}, and --max-warnings is ${maxWarnings}${advice}\n`)
    return true
  }
  const errors = errorsIn(all)
  if (errors.length > 0) host.stderr.write(`${formatCounts(errors)}, which no option accepts\n`)
  return errors.length > 0
}

/** Finds where code in the work tree refers to each flag; `others` are the files after the change. */
async function referencesTo(
  keys: readonly string[],
  others: readonly SourceFile[],
  paths: readonly string[],
  folder: string,
  host: Host,
): Promise<CodeReferences> {
  if (keys.length === 0) return { files: 0, flags: [] }
  const { blocking, findUsages } = await import("../usages/find-usages.ts")
  const { tooLargeLine, referenceRow } = await import("../usages/report.ts")
  const code = paths.map((path) => resolve(host.cwd, path))
  // A constant's name may stand for several flags, even for some that stay.
  const known = new Set([...keys, ...others.map(({ path }) => keyOfFile(path))])
  const { references, files, tooLarge } = await findUsages({ folder, git: host.git, code }, known)
  host.stderr.write(tooLargeLine({ tooLarge }, host.cwd))
  const flags = keys.map((flag) => ({
    flag,
    references: blocking(references.get(flag) ?? []).map((one) => referenceRow(one, host.cwd)),
  }))
  return { files, flags }
}

/** Warns of keys of removed environments. Loads the key-file reader only if an environment is removed. */
async function warnOfKeys(before: Side, after: Side, keys: string | undefined, host: Host): Promise<void> {
  const gone = environmentNames(before).filter((name) => !environmentNames(after).includes(name))
  const file = keys ?? "keys.yaml"
  if (gone.length === 0 || (keys === undefined && !existsSync(resolve(host.cwd, file)))) return
  const { readStoredKeys } = await import("../keys/stored-keys.ts")
  const { warnOfOrphanedKeys } = await import("../keys/orphaned-keys.ts")
  const project = after.project?.name ?? before.project?.name ?? ""
  const stored = await readStoredKeys(file, host)
  host.stderr.write(warnOfOrphanedKeys(file, stored.keys, { project, gone, now: host.now() }))
}

function printErrors(
  { name }: Endpoint,
  errors: readonly Diagnostic[],
  consequence: string,
  host: Host,
): void {
  if (errors.length === 0) return
  printMistakes(errors, host)
  host.stderr.write(`${name}: ${formatCounts(errors)}, so ${consequence}\n`)
}

function consequenceOf(notCompared: NotCompared | undefined): string {
  if (notCompared === undefined) return "it cannot be compared"
  if (notCompared.project) return "nothing is compared"
  const count = notCompared.flags.length
  return `${plural(count, "flag")} ${count === 1 ? "is" : "are"} not compared`
}

function scopeOf(only: readonly string[] | undefined, names: readonly string[]): Scope | undefined {
  if (only === undefined) return undefined
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new Failure(`--only: unknown environment \`${unknown}\`${didYouMean(unknown, [...new Set(names)])}`)
  return (environment) => only.includes(environment)
}
