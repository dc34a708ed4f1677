import { relative, resolve } from "node:path"
import { Command, InvalidArgumentError, Option } from "commander"
import { eachCondition, eachFlagUse } from "../compile/definition/each-condition.ts"
import { readProject } from "../compile/definition/project.ts"
import { factsOf } from "../compile/meaning/file-facts.ts"
import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import { pathFrom } from "../compile/read/read.ts"
import { createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import { formatCounts, formatText as formatDiagnostics } from "../diagnostics/format-text.ts"
import { plural } from "../diagnostics/plural.ts"
import { positionOf } from "../diagnostics/position.ts"
import { printable } from "../diagnostics/printable.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { hasColour, pathsFrom } from "../diagnostics/terminal.ts"
import { compareSides } from "../diff/diff.ts"
import { formatMarkdown } from "../diff/format/format-markdown.ts"
import { formatChanges, formatText } from "../diff/format/format-text.ts"
import { type Endpoint, findFlagsFolder, readEndpoints } from "../diff/revisions/endpoints.ts"
import { readFolder, readTree, type Tree } from "../diff/revisions/tree.ts"
import { type CompiledSide, compileSides } from "../diff/sides/compile-sides.ts"
import { environmentNames } from "../diff/sides/side.ts"
import { Failure } from "../failure.ts"
import { replaceFile } from "../files/replace-file.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { compareEnvironments } from "../promote/compare-environments.ts"
import { type Promotion, promoteFlag } from "../promote/promote-flag.ts"
import { shareAttribute } from "../promote/share-attribute.ts"
import { addToList, flagsOption } from "./options.ts"

const formats = { text: formatText, markdown: formatMarkdown }

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
  readonly format: keyof typeof formats
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
    .addOption(
      new Option("--format <format>", "the format of --check").choices(Object.keys(formats)).default("text"),
    )
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
  for (const flag of chooseFlags(side.flags, keys, options)) {
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

/** Prints on stdout what differs between two environments, each as it is in the work tree or in a commit. */
async function checkPromotion(
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
    host.stderr.write(formatDiagnostics(side.errors, pathsFrom(host), hasColour(host, "stderr")))
    const end = revisionOf(name) === undefined ? "the work tree" : printable(name)
    host.stderr.write(`${end}: ${formatCounts(side.errors)}, so it cannot be compared\n`)
  }
  if (broken.length > 0) return 1
  const names = [...new Set([...environmentNames(from.side), ...environmentNames(to.side)])]
  const [source, target] = environmentsOf({ from: from.environment, to: to.environment }, names)
  if (source === target && from.name === to.name)
    throw new Failure(`${from.name} is both ends: name another environment with --to`)
  const chosen = new Set(
    chooseFlags([...from.side.flags, ...to.side.flags], keys, options).map(({ flag }) => flag.key),
  )
  const cut = (side: CompiledSide) => ({
    ...side,
    flags: side.flags.filter(({ flag }) => chosen.has(flag.key)),
  })
  const diff = await compareEnvironments(
    { side: cut(from.side), environment: source },
    { side: cut(to.side), environment: target },
    isSameTree && revisionOf(options.from) === undefined
      ? await promoteDependents(cut(from.side).flags, source, target, folder)
      : new Map(),
  )
  const endpoint = (name: string): Endpoint => ({ kind: "work-tree", name })
  const compared = { diff, before: endpoint(to.name), after: endpoint(from.name), replay: undefined }
  const shown = {
    ...compared,
    cwd: host.cwd,
    addressOf: () => undefined,
    colour: hasColour(host, "stdout"),
  }
  const text = formats[options.format](shown)
  host.stdout.write(text.replace(/^<!-- .* -->\n/, "")) // it is no comment of `diff`
  return diff.changes.length > 0 ? 1 : 0
}

/**
 * Flags of the work tree that ask other flags, as they would be once all of these are promoted: a build writes the rules of
 * the flag that they ask into them, those of the same environment.
 */
async function promoteDependents(
  flags: readonly ResolvedFlag[],
  from: string,
  to: string,
  folder: string,
): Promise<ReadonlyMap<string, ResolvedFlag>> {
  const dependents = new Set<string>()
  const edited = new Map<string, SourceFile>()
  for (const { flag, definition } of flags) {
    const promotion = promoteFlag(definition, { from, to, own: "replace", share: undefined })
    if (promotion.kind === "edited") edited.set(promotion.source.path, promotion.source)
    else if (promotion.kind !== "same") continue
    eachCondition(definition, (condition) => eachFlagUse(condition, () => dependents.add(flag.key)))
  }
  if (dependents.size === 0) return new Map()
  const tree = readFolder(folder)
  const { after } = await compileSides(tree, withEdits(tree, edited, folder), folder)
  return new Map(after.flags.flatMap((one) => (dependents.has(one.flag.key) ? [[one.flag.key, one]] : [])))
}

/** What stands at `production` or `production@v1.4`. */
async function readPlace(name: string, folder: string, host: Host) {
  const [environment, revision] = [environmentOf(name), revisionOf(name)]
  if (revision === undefined)
    return { environment, name, side: await compileTree(readFolder(folder), folder) }
  const found = await findFlagsFolder(folder, host.git)
  const { before } = await readEndpoints(revision, undefined, found, host.git)
  return { environment, name, side: await compileTree(await readTree(before, found, host.git), found.path) }
}

const environmentOf = (place: string) => place.replace(/@.*/s, "")
/** `undefined`: the work tree. */
const revisionOf = (place: string) => /@(.*)/s.exec(place)?.[1]

const nothing: Tree = { files: new Map(), read: async () => [] }

/** The whole of a tree. Throws `Failure` where it has no project. */
async function compileTree(tree: Tree, folder: string): Promise<CompiledSide> {
  if (tree.files.size === 0) readProject(folder, createReport()) // says that there is no project
  const { after } = await compileSides(nothing, tree, folder)
  return after
}

function hasErrors({ errors }: CompiledSide, host: Host): boolean {
  if (errors.length === 0) return false
  host.stderr.write(formatDiagnostics(errors, pathsFrom(host), hasColour(host, "stderr")))
  host.stderr.write(`${formatCounts(errors)}: nothing was written\n`)
  return true
}

function environmentsOf(
  { from, to }: Pick<PromoteOptions, "from" | "to">,
  names: readonly string[],
): readonly [string, string] {
  const unknown = [from, ...(to === "next" ? [] : [to])].find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new Failure(`no environment ${quoted(unknown)}${didYouMean(unknown, names)}`)
  const target = to === "next" && !names.includes("next") ? names[names.indexOf(from) + 1] : to
  if (target === undefined) throw new Failure(`${from} is the last environment: none is next`)
  return [from, target]
}

/** Flags by their keys, all of them where there is none, and of these the ones with a tag. */
function chooseFlags(
  flags: readonly ResolvedFlag[],
  keys: readonly string[],
  { tag }: PromoteOptions,
): readonly ResolvedFlag[] {
  const known = flags.map(({ flag }) => flag.key)
  const unknown = keys.find((key) => !known.includes(key))
  if (unknown !== undefined) throw new Failure(`no flag ${quoted(unknown)}${didYouMean(unknown, known)}`)
  const tags = new Set(flags.flatMap(({ definition }) => factsOf(definition).tags))
  const unused = tag?.find((one) => !tags.has(one))
  if (unused !== undefined)
    throw new Failure(`no flag has the tag ${quoted(unused)}${didYouMean(unused, [...tags])}`)
  return flags.filter(
    ({ flag, definition }) =>
      (keys.length === 0 || keys.includes(flag.key)) &&
      (tag === undefined || factsOf(definition).tags.some((one) => tag.includes(one))),
  )
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

/** The tree with other texts in some files. */
function withEdits(tree: Tree, edited: ReadonlyMap<string, SourceFile>, folder: string): Tree {
  return {
    files: new Map([
      ...tree.files,
      ...[...edited.keys()].map((path) => [pathFrom(folder, path), "edited"] as const),
    ]),
    read: async (paths, report) =>
      (await tree.read(paths, report)).map((source) => edited.get(source.path) ?? source),
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
