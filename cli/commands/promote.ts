import { relative, resolve } from "node:path"
import { Command, InvalidArgumentError, Option } from "commander"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { formatCounts, formatText as formatDiagnostics } from "../diagnostics/format-text.ts"
import { plural } from "../diagnostics/plural.ts"
import { positionOf } from "../diagnostics/position.ts"
import { printable } from "../diagnostics/printable.ts"
import { hasColour, pathsFrom } from "../diagnostics/terminal.ts"
import { compareSides } from "../diff/diff.ts"
import { formatChanges } from "../diff/format/format-text.ts"
import { readFolder } from "../diff/revisions/tree.ts"
import { type CompiledSide, compileSides } from "../diff/sides/compile-sides.ts"
import { environmentNames } from "../diff/sides/side.ts"
import { Failure } from "../failure.ts"
import { replaceFile } from "../files/replace-file.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { chooseFlags, environmentsOf } from "../promote/choose-flags.ts"
import { compileTree, withEdits } from "../promote/compile-tree.ts"
import { type Promotion, promoteFlag } from "../promote/promote-flag.ts"
import { shareAttribute } from "../promote/share-attribute.ts"
import { addToList, flagsOption } from "./options.ts"
import { checkPromotion } from "./promote-check.ts"

const formats = ["text", "markdown"] as const

/** The options of `promote`. */
export interface PromoteOptions {
  readonly flags: string
  /** An environment; with `check` also `<environment>@<commit>`. */
  readonly from: string
  /** The same, or `next`: the environment behind `from`. */
  readonly to: string
  readonly all?: boolean
  /** Only flags with one of these tags. */
  readonly tag?: readonly string[]
  /** In percent. */
  readonly share?: number
  /** The attribute that the share deals people by. `undefined`: the one of the flag's or the project's shares. */
  readonly by?: string
  readonly replace?: boolean
  readonly append?: boolean
  readonly dryRun?: boolean
  /** Change nothing, and say what differs. */
  readonly check?: boolean
  readonly format: (typeof formats)[number]
}

export const promoteCommand = (host: Host, exit: Exit): Command =>
  new Command("promote")
    .argument("[flags...]", "the keys of the flags")
    .addOption(flagsOption())
    .requiredOption("--from <environment>", "where the configuration is")
    .requiredOption("--to <environment>", "where it goes; next: the environment behind that one")
    .option("--all", "all flags")
    .addOption(new Option("--tag <tag>", "only flags with this tag").argParser(addToList))
    .addOption(new Option("--share <percent>", "begin with this share of the people").argParser(parseShare))
    .option("--by <attribute>", "what the share deals people by (default: as the other shares do)")
    .addOption(new Option("--replace", "drop rules that only the target has").conflicts("append"))
    .option("--append", "keep rules that only the target has, and put the others behind them")
    .option("--dry-run", "say what would change, and write nothing")
    .option("--check", "say what differs, and fail if anything does; environments may be <name>@<commit>")
    .addOption(new Option("--format <format>", "the format of --check").choices(formats).default("text"))
    .addHelpText("after", "\nExample:\n  $ flagstone promote saved-carts --from staging --to production")
    .action((keys: readonly string[], options: PromoteOptions) => exit(runPromote(keys, options, host)))

function parseShare(text: string): number {
  const share = /^\d{1,2}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (share === 0) throw new InvalidArgumentError("Write a percentage between 0 and 100, such as 10.")
  return share
}

/** Changes flag files and prints on stdout who gets another value. 1 where a flag is refused: then nothing is written. */
export async function runPromote(
  keys: readonly string[],
  options: PromoteOptions,
  host: Host,
): Promise<ExitStatus> {
  if (keys.length > 0 && options.all)
    throw new Failure("name the flags, or promote all of them with --all, not both")
  if (options.check) return checkPromotion(keys, options, host)
  if (options.format !== "text") throw new Failure("--format markdown is for --check")
  if (keys.length === 0 && !options.all)
    throw new Failure("name the flags, or promote all of them with --all")
  const folder = resolve(host.cwd, options.flags)
  const tree = readFolder(folder)
  const side = await compileTree(tree, folder)
  if (hasErrors(side, host)) return 1
  const [from, to] = environmentsOf(options, environmentNames(side))
  if (from === to) throw new Failure(`${from} is both ends: name another environment with --to`)

  const own = options.replace ? "replace" : options.append ? "append" : undefined
  const edited = new Map<string, SourceFile>()
  let isRefused = false
  for (const flag of chooseFlags(side.flags, keys, options.tag)) {
    const { definition } = flag
    const by = options.by ?? shareAttribute(flag, side.flags)
    if (options.share !== undefined && by === undefined)
      throw new Failure(`${flag.flag.key}: name the attribute that people are dealt by with --by`)
    const share = options.share === undefined ? undefined : { by: by ?? "", to: options.share }
    const promotion = promoteFlag(definition, { from, to, own, share })
    if (promotion.kind === "edited") {
      edited.set(promotion.source.path, promotion.source)
      for (const comment of promotion.lostComments)
        host.stderr.write(`${nameOf(definition.source, host)} loses \`${printable(comment)}\`\n`)
      continue
    }
    const reason = keys.length === 0 && promotion.kind === "absent" ? undefined : whyNot(promotion, from, to)
    if (reason === undefined) continue
    isRefused = true
    const [first] = promotion.kind === "own-rules" ? promotion.rules : []
    const line = first === undefined ? "" : `:${positionOf(definition.source, first.start).line}`
    host.stderr.write(`${nameOf(definition.source, host)}${line}: ${reason}\n`)
  }
  if (isRefused) {
    host.stderr.write("nothing was written\n")
    return 1
  }
  const after = await compileSides(tree, withEdits(tree, edited, folder), folder)
  if (hasErrors(after.after, host)) return 1
  if (edited.size === 0) host.stderr.write(`${to} has all that ${from} has\n`)
  else {
    const diff = await compareSides(after.before, after.after)
    host.stdout.write(formatChanges(diff, host.cwd, hasColour(host, "stdout")))
    if (!options.dryRun) await writeAll([...edited.values()])
    const verb = options.dryRun ? "would change" : "changed"
    host.stderr.write(`${plural(edited.size, "file")} ${verb}\n`)
  }
  return 0
}

function hasErrors({ errors }: CompiledSide, host: Host): boolean {
  if (errors.length === 0) return false
  host.stderr.write(formatDiagnostics(errors, pathsFrom(host), hasColour(host, "stderr")))
  host.stderr.write(`${formatCounts(errors)}: nothing was written\n`)
  return true
}

function whyNot({ kind }: Promotion, from: string, to: string): string | undefined {
  switch (kind) {
    case "absent":
      return `${from} does not configure the flag, so there is nothing to copy`
    case "own-rules":
      return `${to} has a rule that ${from} has not: --replace drops it, --append keeps it before the others`
    case "split":
      return `${from} has a split, of which the first share would all get one value: promote it whole, or write its rule for ${to} by hand`
    case "layout":
      return `its text cannot be changed for ${to} alone; if another environment repeats a part by an alias, write that part out`
    default:
      return undefined
  }
}

/** Each file is replaced as a whole. What a run that was cut off has left to do, the next one does. */
async function writeAll(files: readonly SourceFile[]): Promise<void> {
  for (const [done, { path, text }] of files.entries()) {
    await replaceFile(path, text).catch((cause: Error) => {
      const count = `${done} of ${plural(files.length, "file")} ${done === 1 ? "is" : "are"} changed`
      throw new Failure(`cannot write ${path}: ${cause.message}; ${count}, run it again`, { cause })
    })
  }
}

const nameOf = ({ path }: SourceFile, host: Host) => printable(relative(host.cwd, path).replaceAll("\\", "/"))
