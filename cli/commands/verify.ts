import { resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Command, Option } from "commander"
import { phrase, plainPhrase } from "../diagnostics/phrase.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { openTarget } from "../publish/open-target.ts"
import { createWeb } from "../publish/web.ts"
import { type Finding, findCommit } from "../verify/find-commit.ts"
import { openRebuild } from "../verify/rebuild.ts"
import { readApi, readSet, type Served } from "../verify/served.ts"
import { flagsOption, type OptionsOf } from "./options.ts"
import { parseVerifyKey } from "./serve-options.ts"

const declareVerify = () =>
  new Command("verify")
    .argument("<target>", "a publish target, or the URL of a proxy or CDN")
    .addOption(flagsOption())
    .option(
      "--environment <name>",
      "the target is the URL that clients of this environment have, at a proxy or a CDN",
    )
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
  const served = await readServed(options, host)
  const isJson = options.format === "json"
  if (served === "damaged") {
    const [location, fault] = [options.address, "its manifest.json is damaged"]
    const finding = { commit: undefined, differences: [], faults: [fault] }
    host.stdout.write(isJson ? jsonOf({ location, manifest: undefined }, finding) : `${location}: ${fault}\n`)
    return 1
  }
  const finding = await findCommit(served, options.revision, rebuild)
  host.stdout.write(isJson ? jsonOf(served, finding) : textOf(served, finding))
  return isSame(finding) ? 0 : 1
}

async function readServed(
  { address, environment, verifyKey }: VerifyOptions,
  host: Host,
): Promise<Served | "damaged"> {
  if (environment === undefined) {
    const target = openTarget(address, { host, sleep })
    return readSet(target, verifyKey).finally(() => target.close())
  }
  if (verifyKey !== undefined)
    throw new Failure("--verify-key is for a publish target: leave out --environment")
  const web = createWeb({ ...host, sleep })
  const key = host.env.FLAGSTONE_API_KEY || undefined
  return readApi(address, environment, key, web).finally(() => web.close())
}

const isSame = ({ differences, faults }: Finding) => differences.length === 0 && faults.length === 0

function textOf({ location, manifest, documents }: Served, finding: Finding): string {
  const { commit, differences, faults } = finding
  const what = manifest === undefined ? `the flags of ${[...documents.keys()].join()}` : "the flags"
  const name = commit === undefined ? "" : ` of ${commit.words}`
  if (isSame(finding)) return `${location} has ${what}${name}${manifest?.rollback ? "; a rollback" : ""}\n`
  const lines = differences.map(({ place, flag, words }) =>
    plainPhrase(phrase`  ${place}: ${flag === undefined ? [] : phrase`${flag}: `}${words}`),
  )
  const said = [...faults.map((fault) => `  ${fault}`), ...lines.slice(0, mostLines)]
  const more = lines.length > mostLines ? [`  and ${lines.length - mostLines} more`] : []
  const head =
    lines.length > 0
      ? `does not have ${what}${name} (in the commit → served)`
      : `has ${what}${name || " of no commit here"}, but`
  return `${location} ${head}:\n${[...said, ...more].join("\n")}\n`
}

const mostLines = 50

function jsonOf({ location, manifest }: Pick<Served, "location" | "manifest">, finding: Finding): string {
  const differences = finding.differences.map(({ place, flag = null, words }) => {
    return { place, flag, message: plainPhrase(words) }
  })
  const told = {
    ...{ verified: isSame(finding), location, commit: finding.commit?.hash ?? null },
    ...{ rollback: manifest?.rollback ?? false, faults: finding.faults, differences },
  }
  return `${JSON.stringify(told, null, 2)}\n`
}
