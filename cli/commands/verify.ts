import { resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Command, Option } from "commander"
import { phrase, plainPhrase } from "../diagnostics/phrase.ts"
import { printable } from "../diagnostics/printable.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { openTarget } from "../publish/open-target.ts"
import { createWeb } from "../publish/web.ts"
import { isSame } from "../verify/compare.ts"
import { type Finding, findCommit } from "../verify/find-commit.ts"
import { openRebuild } from "../verify/rebuild.ts"
import { readApi, readSet, type Served } from "../verify/served.ts"
import { flagsOption, type OptionsOf } from "./options.ts"
import { parseVerifyKey } from "./serve-options.ts"

const declareVerify = () =>
  new Command("verify")
    .argument("<address>", "a publish target, or the address of a proxy or CDN")
    .addOption(flagsOption())
    .option("--revision <commit>", "compare with this commit, not with the one that made what is served")
    .addOption(
      new Option(
        "--verify-key <key>",
        "the target's set must be signed with the private half of this key",
      ).argParser(parseVerifyKey),
    )
    .addOption(new Option("--format <format>", "the output format").choices(["text", "json"]).default("text"))
    .addHelpText("after", "\nExample:\n  $ flagstone verify s3://flags/shop")

/** The argument and the options of `verify`. */
export interface VerifyOptions extends OptionsOf<typeof declareVerify> {
  readonly address: string
}

export const verifyCommand = (host: Host, exit: Exit) =>
  declareVerify().action((address, options) => exit(runVerify({ address, ...options }, host)))

/** Compares what is served with what a commit of this clone builds. Throws `Failure` if either cannot be read. */
export async function runVerify(options: VerifyOptions, host: Host): Promise<ExitStatus> {
  const rebuild = await openRebuild(resolve(host.cwd, options.flags), host.git)
  try {
    const served = await readServed(options, host)
    const finding = await findCommit(served, options.revision, rebuild)
    const isInside = finding.faults.length === 0 && isSame(finding.comparison)
    const print = options.format === "json" ? jsonOf : textOf
    host.stdout.write(print(served, finding, isInside))
    return isInside ? 0 : 1
  } finally {
    await rebuild.close()
  }
}

/** A target has a set; an address without one is asked as a client asks. */
async function readServed({ address, verifyKey }: VerifyOptions, host: Host): Promise<Served> {
  const target = openTarget(address, { host, sleep })
  const set = await readSet(target, verifyKey).finally(() => target.close())
  if (set !== undefined) return set
  if (!/^https?:/.test(address)) throw new Failure(`nothing was published to ${target.location}`)
  if (verifyKey !== undefined)
    throw new Failure(`${target.location} has no signed set: --verify-key needs a publish target`)
  const web = createWeb({ ...host, sleep })
  return readApi(address, host.env.FLAGSTONE_API_KEY || undefined, web).finally(() => web.close())
}

function textOf(
  { location, manifest }: Served,
  { commit, comparison, faults }: Finding,
  isInside: boolean,
): string {
  const name = commit === undefined ? "" : ` of ${printable(commit.words)}`
  if (isInside) return `${location} has the flags${name}${manifest?.rollback ? ", by a rollback" : ""}\n`
  const lines = [...comparison].flatMap(([environment, differences]) =>
    differences.map(({ flag, words }) =>
      plainPhrase(phrase`  ${environment}: ${flag === undefined ? [] : phrase`${flag}: `}${words}`),
    ),
  )
  const may = lines.length === 0 ? "" : "Another version of Flagstone may write the same flags differently.\n"
  const said = [...faults.map((fault) => `  ${fault}`), ...lines.slice(0, mostLines)]
  const more = lines.length > mostLines ? [`  and ${lines.length - mostLines} more`] : []
  const how = lines.length === 0 ? "" : " (in the commit → served)"
  return `${location} does not have the flags${name || " of any commit here"}${how}:\n${[...said, ...more].join("\n")}\n${may}`
}

const mostLines = 50

function jsonOf(
  { location, manifest }: Served,
  { commit, comparison, faults }: Finding,
  isInside: boolean,
): string {
  const differences = [...comparison].flatMap(([environment, own]) =>
    own.map(({ flag, words }) => ({ environment, flag: flag ?? null, message: plainPhrase(words) })),
  )
  const rollback = manifest?.rollback ?? false
  const { hash = null } = commit ?? {}
  return `${JSON.stringify({ verified: isInside, location, commit: hash, rollback, faults, differences }, null, 2)}\n`
}
