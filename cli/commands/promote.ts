import { resolve } from "node:path"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { plural } from "../diagnostics/plural.ts"
import { positionOf } from "../diagnostics/position.ts"
import { printable } from "../diagnostics/printable.ts"
import { printedPath } from "../diagnostics/workflow-commands.ts"
import { compareSides } from "../diff/diff.ts"
import { changesReport } from "../diff/format/report.ts"
import { type OpenSide, openSide } from "../diff/sides/open-sides.ts"
import { environmentNames } from "../diff/sides/side.ts"
import { replaceSource } from "../edit/replace-source.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { folderFiles, withTexts } from "../project/files.ts"
import { chooseFlags, environmentsOf } from "../promote/choose-flags.ts"
import { type Promotion, promoteFlag } from "../promote/promote-flag.ts"
import { shareAttribute } from "../promote/share-attribute.ts"
import { printingFor } from "../report/formats.ts"
import { reportText } from "../report/report-text.ts"
import { checkPromotion } from "./promote-check.ts"
import { declarePromote, type PromoteOptions } from "./promote-options.ts"
import { refuseBroken, refuseErrors } from "./refuse-errors.ts"

export const promoteCommand = (host: Host, exit: Exit) =>
  declarePromote().action((keys, options) => exit(runPromote(keys, options, host)))

/**
 * Edits flag files and prints on stdout whose value changes. Returns 1 if a flag is refused or an invariant is broken, and 2 if
 * the project file has mistakes; then nothing is written.
 */
export async function runPromote(
  keys: readonly string[],
  options: PromoteOptions,
  host: Host,
): Promise<ExitStatus> {
  if (keys.length > 0 && options.all)
    throw new Failure("name the flags, or promote all of them with --all, not both")
  if (options.check) return checkPromotion(keys, options, host)
  if (options.format !== "text") throw new Failure("--format markdown needs --check")
  if (keys.length === 0 && !options.all)
    throw new Failure("name the flags, or promote all of them with --all")
  const folder = resolve(host.cwd, options.flags)
  const files = folderFiles(folder)
  const side = await openSide(files)
  if (refuseErrors(side, host)) return side.project === undefined ? 2 : 1
  const [from, to] = environmentsOf(options, environmentNames(side))
  if (from === to) throw new Failure(`--from and --to are both ${from}`)

  const own = options.replace ? "replace" : options.append ? "append" : undefined
  const edited: SourceFile[] = []
  let isRefused = false
  for (const flag of chooseFlags(side.flags, keys, options.tag)) {
    const by = options.by ?? shareAttribute(flag, side.flags)
    if (options.share !== undefined && by === undefined)
      throw new Failure(`${flag.key}: name the attribute for --share with --by`)
    const share = options.share === undefined ? undefined : { by: by ?? "", to: options.share }
    const promotion = promoteFlag(flag, { from, to, own, share })
    if (promotion.kind === "edited") {
      edited.push(promotion.source)
      for (const comment of promotion.lostComments)
        host.stderr.write(`${nameOf(flag.source, host)} loses the comment \`${printable(comment)}\`\n`)
      continue
    }
    const reason = keys.length === 0 && promotion.kind === "absent" ? undefined : whyNot(promotion, from, to)
    if (reason === undefined) continue
    isRefused = true
    const [first] = promotion.kind === "own-rules" ? promotion.rules : []
    const line = first === undefined ? "" : `:${positionOf(flag.source, first.start).line}`
    host.stderr.write(`${nameOf(flag.source, host)}${line}: ${reason}\n`)
  }
  if (isRefused) {
    host.stderr.write("nothing was written\n")
    return 1
  }
  const after = await openSide(withTexts(files, edited))
  if (refuseErrors(after, host)) return 1
  if (edited.length === 0) host.stderr.write(`nothing to promote: ${to} already has what ${from} has\n`)
  else {
    const diff = await compareSides(side, after, { now: host.now() })
    if (refuseBroken(diff, host)) return 1
    host.stdout.write(reportText(changesReport(diff), printingFor(host)))
    if (!options.dryRun) await writeAll(edited, side)
    const verb = options.dryRun ? "would change" : "changed"
    host.stderr.write(`${plural(edited.length, "file")} ${verb}\n`)
  }
  return 0
}

function whyNot({ kind }: Promotion, from: string, to: string): string | undefined {
  switch (kind) {
    case "absent":
      return `${from} does not configure the flag, so there is nothing to copy`
    case "own-rules":
      return `${to} has a rule that ${from} does not: --replace drops it, --append keeps it first`
    case "split":
      return `--share cannot be used for a split: the first users would all get the same value. Promote it without --share, or edit ${to} by hand`
    case "layout":
      return `${to} cannot be changed on its own in this file: write out what other environments reuse through an alias, or edit it by hand`
    default:
      return undefined
  }
}

/** Replaces each file as a whole. If a run is interrupted, the next one does the rest. */
async function writeAll(files: readonly SourceFile[], { flags }: OpenSide): Promise<void> {
  const read = new Map(flags.map(({ source }) => [source.path, source]))
  for (const [done, file] of files.entries()) {
    await replaceSource(read.get(file.path) ?? file, file.text).catch((cause: Error) => {
      const count = `${done} of ${plural(files.length, "file")}`
      throw new Failure(`${cause.message}; changed ${count}, run it again`, { cause })
    })
  }
}

const nameOf = ({ path }: SourceFile, host: Host) => printedPath(path, host.cwd)
