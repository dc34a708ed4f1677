import type { KeyObject } from "node:crypto"
import { resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Command, InvalidArgumentError, Option } from "commander"
import { maxTargetLength } from "../../proxy/contract/manifest.ts"
import { parsePrivateKey } from "../../proxy/contract/signature.ts"
import { formatGithubError } from "../diagnostics/format-github.ts"
import { plural } from "../diagnostics/plural.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { createProgress } from "../progress.ts"
import { chooseAddress } from "../publish/choose-address.ts"
import { choosePublication } from "../publish/choose-publication.ts"
import { readCommits } from "../publish/commits.ts"
import { describeRollback, Held, liftHold, shortName } from "../publish/hold.ts"
import {
  futureLine,
  keyPlanLines,
  oldAddressLines,
  planLines,
  publishedKeysLine,
  revisionLines,
  sentWords,
  signedWords,
  timesLine,
  unconditionalLine,
} from "../publish/lines.ts"
import { openTarget } from "../publish/open-target.ts"
import { isOfTheMachine } from "../publish/outrun.ts"
import { planPublication } from "../publish/plan.ts"
import { prune } from "../publish/prune.ts"
import type { Publication } from "../publish/publication.ts"
import { noPublication, revisionsOf } from "../publish/publications.ts"
import { carryOut, countSteps, knowsConditions, repairHeld } from "../publish/publish.ts"
import { chooseKeys, orphansLine, publishKeys } from "../publish/publish-keys.ts"
import { readPublished } from "../publish/published.ts"
import { chooseApiLayout, readApiLayout, usualBases } from "../publish/published-api.ts"
import { readPublishedKeys } from "../publish/published-keys.ts"
import { refuseClashes, refuseWeaker } from "../publish/refusals.ts"
import { refusalLines } from "../publish/refused-by-readers.ts"
import { maxReasonLength } from "../publish/revision-index.ts"
import type { PublishTarget } from "../publish/target.ts"
import { limitTime } from "../publish/time-limit.ts"
import { waitForProxies } from "../publish/wait-for-proxies.ts"
import { createWeb } from "../publish/web.ts"
import { addToList, type OptionsOf, parseCount, parseDurationOption } from "./options.ts"

const waitOption = () =>
  new Option(
    "--wait <proxies>",
    "wait up to a minute until these proxies serve it: URLs of their admin ports, separated by commas",
  )
    .argParser(addProxies)
    .conflicts(["list", "dryRun", "resume"])

const declarePublish = () =>
  new Command("publish")
    .argument("<target>", "a folder, s3://bucket/prefix or https://…")
    .addOption(new Option("--snapshots <folder>", "the folder that build wrote").default("dist"))
    .option("--keys <file>", "also send this key file, for proxies to read there")
    .option(
      "--per-flag",
      "also publish a file per flag, as GET /v1/flags/<key> returns it; later publications do the same",
    )
    .option("--no-per-flag", "remove the per-flag files")
    .option("--keep-addresses", "keep the published URLs, too, until you publish without this")
    .addOption(
      new Option(
        "--base-url <url>",
        "where readers find the target; a signed set names it, and later publications keep it",
      ).argParser(parseAddress),
    )
    .option("--new-base-url", "let --base-url differ from the URL that the published set names")
    .option("--dry-run", "only list what would be sent")
    .option(
      "--rollback <revision>",
      "make an earlier revision current again, and hold it: every other publish is refused until --resume",
    )
    .addOption(
      new Option(
        "--reason <text>",
        "why you are rolling back, shown to anyone who tries to publish meanwhile",
      ).argParser(parseReason),
    )
    .addOption(
      new Option("--resume", "lift the hold of a rollback; send nothing").conflicts([
        ...["rollback", "reason", "list", "keep", "dryRun"],
      ]),
    )
    .addOption(
      new Option("--list", "list the published revisions and any hold").conflicts([
        ...["rollback", "keep", "dryRun"],
      ]),
    )
    .addOption(waitOption())
    .addOption(
      new Option("--keep <n>", "afterwards remove all but the n newest revisions").argParser(parseKept),
    )
    .option("--allow-dirty", "publish uncommitted changes")
    .option("--allow-shallow", "publish a build of a shallow clone, even though its times may be wrong")
    .option("--allow-shrink", "publish even if most flags or an environment are gone")
    .option("--allow-weaker", "publish unsigned after signed, or at guessable URLs after secret ones")
    .option("--allow-older", "publish an older commit than the current one")
    .addOption(
      new Option("--time-limit <duration>", "give up after this long")
        .argParser(parseDurationOption)
        .default(15 * 60_000, "15m"),
    )
    .addHelpText(
      "after",
      "\nExample:\n  $ flagstone publish s3://flags/shop --base-url https://flags.example.com",
    )

/** The argument and the options of `publish`. */
export interface PublishOptions extends OptionsOf<typeof declarePublish> {
  readonly target: string
}

export const publishCommand = (host: Host, exit: Exit) =>
  declarePublish().action((target, options) => exit(runPublish({ target, ...options }, host)))

/** Publishes, rolls back or lists. Prints each environment's base address on stdout, and everything else on stderr. */
export async function runPublish(options: PublishOptions, host: Host): Promise<ExitStatus> {
  const signingKey = readSigningKey(host)
  const target = limitTime(openTarget(options.target, { host, sleep }), options.timeLimit)
  try {
    await Promise.race([
      target.overdue,
      options.list
        ? list(target, host)
        : options.resume
          ? resume(target, host)
          : publish(target, options, signingKey, host),
    ])
    return 0
  } catch (error) {
    if (error instanceof Held && host.env.GITHUB_ACTIONS === "true")
      host.stdout.write(formatGithubError("Flags are held", error.message))
    host.exitWithin(timeToEnd)
    throw error
  } finally {
    await target.close()
  }
}

/** Milliseconds that pending work may take after a failure. */
const timeToEnd = 2_000

async function list(target: PublishTarget, host: Host): Promise<void> {
  const published = await readPublished(target)
  const keys = await readPublishedKeys(target)
  const names = revisionsOf(published).map(({ revision }) => revision)
  const commits = await readCommits(names, host)
  if (names.length === 0) host.stderr.write(`${noPublication(target, published)}\n`)
  host.stdout.write(revisionLines(published, commits) + publishedKeysLine(keys))
}

async function resume(target: PublishTarget, host: Host): Promise<void> {
  const hold = await liftHold(target)
  host.stderr.write(
    hold === undefined
      ? `${target.location} is not held\n`
      : `${target.location} is no longer held; it has ${shortName(hold.revision)} until you publish again\n`,
  )
}

async function publish(
  target: PublishTarget,
  options: PublishOptions,
  signingKey: KeyObject | undefined,
  host: Host,
): Promise<void> {
  if (options.reason !== undefined && options.rollback === undefined)
    throw new Failure("--reason explains a rollback: add --rollback <revision>")
  const published = await readPublished(target)
  host.stderr.write(futureLine(published, target, host.now()))
  if (options.rollback === undefined && !options.dryRun)
    host.stderr.write(await repairHeld(target, published))
  const snapshots = resolve(host.cwd, options.snapshots)
  const choice = { ...options, snapshots, signingKey }
  const publication = await choosePublication(target, published, choice, host)
  const usual = usualBases(publication, host.env.FLAGSTONE_PATH_SECRET || undefined)
  const before = await readApiLayout(target, published, usual)
  const layout = chooseApiLayout(usual, before, options)
  refuseClashes(layout.bases)
  if (!options.allowWeaker) refuseWeaker(published, before, layout, signingKey !== undefined)

  const address = chooseAddress(target, published, { ...options, signingKey })
  const signing = { signingKey, address: address.named, now: host.now() }
  const rollback =
    options.rollback === undefined
      ? undefined
      : await describeRollback(published, publication, options.reason, host)
  const plan = await planPublication(target, publication, published, { layout, rollback, ...signing })
  const keys = await chooseKeys(target, { ...options, keys: options.keys, ...signing }, host)
  const refused = await refusalLines(target, published, { ...signing, sendsKeys: keys !== undefined })
  const { project, environments } = publication.manifest
  const gone = Object.keys(published.pointer?.manifest.environments ?? {}).filter(
    (name) => environments[name] === undefined,
  )
  host.stderr.write(await orphansLine(target, options.keys, { project, gone, now: host.now() }, host))
  host.stderr.write(oldAddressLines(layout, before, address.shown))
  if (options.dryRun) {
    const changes = (plan === undefined ? "" : planLines(plan)) + (keys?.plan ? keyPlanLines(keys.plan) : "")
    host.stdout.write(changes)
    host.stderr.write(changes === "" ? "nothing to send\n" : "nothing was sent\n")
    return
  }
  if (plan === undefined) {
    host.stderr.write(`${target.location} already has revision ${publication.revision}: nothing to send\n`)
  } else {
    const progress = createProgress("files sent:", host)
    let sent = 0
    await carryOut(target, plan, () => progress.show(++sent, countSteps(plan))).finally(progress.end)
    const signed = signedWords(signing)
    host.stderr.write(
      `${target.location} now has revision ${publication.revision} (${sentWords(plan)}${signed})\n`,
    )
    host.stderr.write(refused)
    host.stderr.write(timesLine(publication.manifest, target.address, host.now()))
    if (!(await knowsConditions(target))) host.stderr.write(unconditionalLine(target))
  }
  if (rollback !== undefined)
    host.stderr.write(`it is held there until \`flagstone publish ${target.location} --resume\`\n`)
  if (keys !== undefined) await publishKeys(target, keys, host)
  for (const [environment, base] of Object.entries(layout.bases))
    host.stdout.write(`${environment} ${address.shown}/${base}\n`)
  if (options.keep !== undefined) host.stderr.write(await pruneLine(target, options.keep))
  if (options.wait !== undefined) await awaitProxies(target, publication, options, host)
}

/** Removes older revisions, and says how many. What was published stays so if they cannot be removed. */
async function pruneLine(target: PublishTarget, keep: number): Promise<string> {
  try {
    const pruned = await prune(target, keep)
    return pruned === 0 ? "" : `${plural(pruned, "older revision")} removed\n`
  } catch (error) {
    if (!isOfTheMachine(error)) throw error
    return `older revisions were not all removed: ${error.message}\n`
  }
}

/** Milliseconds for which publishers wait for proxies: a CDN, two polls of the keys, and time to prepare. */
const longestWait = 60_000

async function awaitProxies(
  target: PublishTarget,
  { revision, manifest }: Publication,
  { wait = [], keys, timeLimit }: PublishOptions,
  host: Host,
): Promise<void> {
  const keysPublishedAt = keys === undefined ? undefined : (await readPublishedKeys(target)).file?.publishedAt
  const web = createWeb({ ...host, sleep })
  const limit = Math.min(longestWait, timeLimit)
  const onLine = (line: string) => host.stderr.write(line)
  await waitForProxies(
    wait,
    { revision, manifest, keysPublishedAt },
    { ...host, web, sleep, limit, onLine },
  ).finally(web.close)
}

/** Throws `Failure`, without repeating the value, if the variable is not a key. */
function readSigningKey({ env }: Host): KeyObject | undefined {
  const text = env.FLAGSTONE_SIGNING_KEY
  if (text === undefined || text === "") return undefined
  const key = parsePrivateKey(text)
  if (key.kind === "invalid") throw new Failure(`FLAGSTONE_SIGNING_KEY is not valid: ${key.reason}`)
  return key.value
}

function parseReason(text: string): string {
  if (text.trim() === "" || text.length > maxReasonLength)
    throw new InvalidArgumentError(`Write one sentence of at most ${maxReasonLength} characters.`)
  return text.trim()
}

function parseKept(text: string): number {
  const count = parseCount(text)
  if (count === 0) throw new InvalidArgumentError("Keep at least the current revision: write 1 or more.")
  return count
}

/**
 * Addresses, each once, without a slash at the end. A mistake is a `Failure`, which does not repeat the text: the log may be
 * public.
 */
function addProxies(text: string, earlier: unknown): readonly string[] {
  const all = addToList(text, earlier)
  const isProxy = (address: string) => {
    const url = URL.parse(address)
    return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}${url.pathname}`
  }
  if ((all.length === 0 && text !== "") || !all.every(isProxy))
    throw new Failure(
      "--wait: write the URLs of --admin-port, such as http://10.0.0.1:9090, without passwords, `?` and `#`",
    )
  return [...new Set(all.map((address) => address.replace(/\/+$/, "")))]
}

function parseAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol) || text.length > maxTargetLength)
    throw new InvalidArgumentError("Write a URL such as https://flags.example.com.")
  return text.replace(/\/+$/, "")
}
