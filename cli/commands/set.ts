import { resolve } from "node:path"
import { Command, InvalidArgumentError, Option } from "commander"
import { printable } from "../diagnostics/printable.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { printedPath } from "../diagnostics/workflow-commands.ts"
import type { Diff } from "../diff/changes/diff.ts"
import { compareSides } from "../diff/diff.ts"
import { changesReport, comparisonReport } from "../diff/format/report.ts"
import { type OpenSide, openSide } from "../diff/sides/open-sides.ts"
import { environmentNames } from "../diff/sides/side.ts"
import { replaceSource } from "../edit/replace-source.ts"
import type { FileEdit } from "../edit/write-configuration.ts"
import { chooseEnvironment } from "../evaluate/choose-environment.ts"
import { Failure } from "../failure.ts"
import { rampsIn } from "../flag/times.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import type { Flag } from "../language/flag.ts"
import { folderFiles, withTexts } from "../project/files.ts"
import { chooseFlags } from "../promote/choose-flags.ts"
import { shareAttribute } from "../promote/share-attribute.ts"
import { printingFor } from "../report/formats.ts"
import { reportJson } from "../report/report-json.ts"
import { reportText } from "../report/report-text.ts"
import { parseValue } from "../set/parse-value.ts"
import type { Refusal } from "../set/refusal.ts"
import { type Setting, setConfigurations, setDefault } from "../set/set-flag.ts"
import { addToList, flagsOption, type OptionsOf } from "./options.ts"
import { refuseBroken, refuseErrors } from "./refuse-errors.ts"

const actions = ["on", "off", "share", "hold", "everyone", "default"] as const
const others = (name: (typeof actions)[number]) => actions.filter((action) => action !== name)

const declareSet = () =>
  new Command("set")
    .argument("<flag>", "the flag's key")
    .addOption(flagsOption())
    .addOption(
      new Option("--in <environments>", "the environments, separated by commas").argParser(addToList),
    )
    .addOption(new Option("--off", "everyone gets the default").conflicts(others("off")))
    .addOption(new Option("--on", "the rules decide").conflicts(others("on")))
    .addOption(
      new Option("--share <percent>", "the share of users of a rule")
        .argParser(parsePercent)
        .conflicts(others("share")),
    )
    .addOption(
      new Option("--hold", "a ramp stays at the share that it has reached").conflicts(others("hold")),
    )
    .option("--by <attribute>", "the attribute of --share (default: the one that other shares use)")
    .addOption(new Option("--rule <number>", "the rule of --share, from 1").argParser(parseRule))
    .addOption(new Option("--everyone <value>", "everyone gets this value").conflicts(others("everyone")))
    .addOption(
      new Option("--default <value>", "the flag's default, in every environment").conflicts([
        ...others("default"),
        "in",
      ]),
    )
    .option("--dry-run", "print what would change, and write nothing")
    .addOption(
      new Option("--format <format>", "the format of the output")
        .choices(["text", "json"] as const)
        .default("text" as const),
    )
    .addHelpText("after", "\nExample:\n  $ flagstone set express-pay --in production --off")

type SetOptions = OptionsOf<typeof declareSet>

export const setCommand = (host: Host, exit: Exit) =>
  declareSet().action((key, options) => exit(runSet(key, options, host)))

/**
 * Edits a flag's file, and prints on stdout whose value changes. Returns 2 if nothing is written: the flags have errors,
 * the edit breaks an invariant, or more would change than was said.
 */
async function runSet(key: string, options: SetOptions, host: Host): Promise<ExitStatus> {
  const files = folderFiles(resolve(host.cwd, options.flags))
  const before = await openSide(files)
  if (refuseErrors(before, host)) return 2
  const [flag] = chooseFlags(before.flags, [key], undefined)
  if (flag === undefined) throw new Failure(`no flag ${quoted(key)}`)
  const { path } = flag.source
  const name = printedPath(path, host.cwd)
  const edited = editFlag(flag, options, before, host.now())
  if (edited.kind === "same") {
    if (options.format === "json")
      host.stdout.write(jsonOf(await compareSides(before, before, { now: host.now() }), host))
    host.stderr.write("nothing to change: that is so already\n")
    return 0
  }
  if (edited.kind !== "edited") {
    host.stderr.write(`${name}: ${edited.kind === "refused" ? edited.reason : layout}\nnothing was written\n`)
    return 2
  }
  const after = await openSide(withTexts(files, [edited.source]))
  if (refuseErrors(after, host)) return 2
  const diff = await compareSides(before, after, { now: host.now() })
  if (refuseBroken(diff, host)) return 2
  if (!options.dryRun) await replaceSource(flag.source, edited.source.text)
  host.stdout.write(
    options.format === "json" ? jsonOf(diff, host) : reportText(changesReport(diff), printingFor(host)),
  )
  const now = after.flags.find((one) => one.key === flag.key) ?? flag
  const isShare = options.share !== undefined || options.hold
  for (const environment of isShare ? (options.in ?? []) : [])
    if (rampsIn(now, environment).length < rampsIn(flag, environment).length)
      host.stderr.write(`${name}: in ${environment} a share replaces the ramp, which no longer grows\n`)
  for (const comment of edited.lostComments)
    host.stderr.write(`${name} loses the comment \`${printable(comment)}\`\n`)
  host.stderr.write(`${name} ${options.dryRun ? "would change" : "changed"}\n`)
  return 0
}

function editFlag(flag: Flag, options: SetOptions, side: OpenSide, now: number): FileEdit | Refusal {
  if (options.share === undefined && !options.hold && (options.by ?? options.rule) !== undefined)
    throw new Failure("--by and --rule are about --share and --hold")
  if (options.default !== undefined) return setDefault(flag, parseValue(options.default, flag))
  const names = environmentNames(side)
  if (options.in === undefined || options.in.length === 0)
    throw new Failure("name the environments with --in")
  for (const name of options.in) chooseEnvironment(name, names)
  return setConfigurations(flag, options.in, settingOf(flag, options, side, now))
}

function settingOf(flag: Flag, options: SetOptions, side: OpenSide, now: number): Setting {
  const { on, off, share, hold, everyone, by, rule } = options
  if (everyone !== undefined) return { kind: "everyone", value: parseValue(everyone, flag) }
  if (share === undefined && !hold) {
    if (on || off) return { kind: "enabled", enabled: on === true }
    throw new Failure("say what to set: --on, --off, --share, --hold, --everyone or --default")
  }
  const { defaultValue } = flag
  const newValue = typeof defaultValue === "boolean" ? !defaultValue : undefined
  return {
    kind: "share",
    percent: share,
    now,
    by,
    rule,
    newBy: by ?? shareAttribute(flag, side.flags),
    newValue,
  }
}

function jsonOf(diff: Diff, host: Host): string {
  const end = (name: string) => ({ kind: "work-tree", name }) as const
  const ends = { before: end("the work tree"), after: end("the work tree, edited") }
  return reportJson(
    comparisonReport({ ...ends, diff, replay: undefined, cwd: host.cwd, addressOf: () => undefined }),
  )
}

const layout =
  "this cannot be changed alone: write out what other parts of the file reuse through an alias, or edit it by hand"

function parsePercent(text: string): number {
  if (/^\d{1,3}(?:\.\d{1,3})?$/.test(text) && Number(text) <= 100) return Number(text)
  throw new InvalidArgumentError("Write a percentage from 0 to 100, with at most three decimals, such as 10.")
}

function parseRule(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError("Write the number of a rule, from 1.")
}
