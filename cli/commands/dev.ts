import { existsSync } from "node:fs"
import { relative, resolve } from "node:path"
import { Command, Option } from "commander"
import type { H3Event } from "h3"
import { type Logger, pino } from "pino"
import { createKeyFileSource, type KeySource } from "../../proxy/keys/key-source.ts"
import { createBuiltSnapshots } from "../dev/built-snapshots.ts"
import { createCatalogPage } from "../dev/catalog-page.ts"
import { createChangeLog } from "../dev/change-log.ts"
import { createKeptSecrets, findSecretsFile } from "../dev/kept-secrets.ts"
import { commandsPath, createPage, curlLine, mayReadPage } from "../dev/page.ts"
import { createRunKeys, type RunKeys } from "../dev/run-keys.ts"
import { createSpecWatch } from "../dev/spec-watch.ts"
import { firstPort, startOnFreePort } from "../dev/start-on-free-port.ts"
import { type Watch, watchFolder } from "../dev/watch.ts"
import { plural } from "../diagnostics/plural.ts"
import { printableLines } from "../diagnostics/printable.ts"
import { Failure } from "../failure.ts"
import { createHistoryCache } from "../history/history-cache.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import type { Build } from "../project/build.ts"
import { buildProject, compileOptions, type ProjectResult } from "../project/build-project.ts"
import { editorSchemaFileNames } from "../reading/files/file-names.ts"
import {
  corsOriginOption,
  defaultBucket,
  defaultEvaluateBucket,
  flagsOption,
  hostOption,
  keysOption,
  type OptionsOf,
  outOption,
  parsePort,
} from "./options.ts"
import { untilStopped } from "./until-stopped.ts"

const declareDev = () =>
  new Command("dev")
    .addOption(flagsOption())
    .addOption(outOption())
    .addOption(keysOption())
    .addOption(hostOption())
    .addOption(
      new Option(
        "--port <number>",
        "the port to listen on; 0 picks a free one (default: the next free one from 8080)",
      ).argParser(parsePort),
    )
    .addOption(corsOriginOption().default(["loopback"], "loopback"))
    .addHelpText("after", "\nExample:\n  $ flagstone dev --flags flags --port 8080")

/** The options of `dev`. */
export type DevOptions = OptionsOf<typeof declareDev>

export const devCommand = (host: Host, exit: Exit) =>
  declareDev().action((options) => exit(runDev(options, host)))

/** Milliseconds between two polls of the flags folder: short enough to seem immediate, long enough to cost nothing. */
const watchInterval = 300

/** Milliseconds between two polls of the key file. */
const keyPollInterval = 1_000

/** While someone edits flags they are not committed, and their times do not matter yet. */
const suppressedCodes = ["not-committed", "not-in-git", "shallow-clone"] as const

/**
 * Serves until it gets a signal. Errors in the flags are printed, and the last good build is served meanwhile, or nothing
 * until there is one.
 */
export async function runDev(options: DevOptions, host: Host): Promise<ExitStatus> {
  const flags = resolve(host.cwd, options.flags)
  const out = resolve(host.cwd, options.out)
  refuseLoop(flags, out)
  const say = (line: string) => host.stdout.write(`${line}\n`)
  const request = { ...options, allowShallow: true, cache: createHistoryCache() }
  const build = () => buildProject(request, host, suppressedCodes)
  const watch = watchFolder(flags, watchInterval, isSchemaFile) // before the first build, so that no change is missed
  const first = await firstBuild(build, watch, host)
  if (first === undefined) return 0

  const changes = createChangeLog(first.input, host)
  const specs = createSpecWatch(first.input, host)
  const { keys, isKept } = await openKeys(options, flags, host)
  const createKeys = ({ input, made }: Built) =>
    keys.setEnvironments(input.project.name, Object.keys(made.manifest.environments))
  let current: Built = first
  const pageFor = createPages(request, keys, host)
  await createKeys(first)
  const proxy = await startOnFreePort(
    {
      ...proxyConfig(options, out, host),
      keys,
      clockAttribute: first.input.project.clock,
      pageFor: (asked) => pageFor(asked, current, proxy.url),
    },
    options.port,
  )
  const sayKeys = () => {
    const lines = keys
      .takeUnprinted()
      .map(({ environment, secret }) => `${environment}:\n  ${curlLine(secret, proxy.url)}`)
    if (lines.length > 0) say(["", ...lines].join("\n"))
  }
  if (options.port === undefined && proxy.port !== firstPort)
    say(`Port ${firstPort} is in use; listening on ${proxy.port} instead.`)
  say(
    `${options.flags}: ${sizeOf(first.made)}. Open ${proxy.url} to see them; OpenFeature clients (OFREP) use the same URL. Watching for changes; Ctrl-C stops.`,
  )
  sayKeys()
  if (!isKept) say("\nOutside git, these keys change on every start.")

  async function rebuild(): Promise<void> {
    const next = await build()
    if (next.kind !== "made") return changes.noteErrors()
    if (fixedOf(next) !== fixedOf(current)) {
      host.stderr.write(`flagstone: ${restartMessage}\n`)
      return changes.noteErrors()
    }
    current = next
    await createKeys(next)
    await proxy.reload()
    say(`\n${await changes.describe(next.input)}`)
    const tested = await specs.run(next.input)
    if (tested !== undefined) say(tested)
    sayKeys()
  }
  watch.start(() =>
    rebuild().catch((error: unknown) => {
      changes.noteErrors()
      sayFailure(error, host)
    }),
  )
  await untilStopped(Promise.resolve(proxy), host)
  watch.stop()
  return 0
}

/** The first build without errors; `undefined` if a signal stops the wait for it. Throws `Failure` as a build does at the start. */
async function firstBuild(
  build: () => Promise<ProjectResult<Build>>,
  watch: Watch,
  host: Host,
): Promise<Built | undefined> {
  const first = await build()
  if (first.kind === "made") return first
  host.stderr.write("\nWaiting for changes; Ctrl-C stops.\n")
  return new Promise((resolve) => {
    const finish = (made: Built | undefined) => {
      for (const forget of forgets) forget()
      watch.stop()
      resolve(made)
    }
    const forgets = (["SIGTERM", "SIGINT"] as const).map((signal) =>
      host.onSignal(signal, () => finish(undefined)),
    )
    watch.start(async () => {
      try {
        const next = await build()
        if (next.kind === "made") finish(next)
      } catch (error) {
        sayFailure(error, host)
      }
    })
  })
}

/** The keys of this run, and whether the next run has them, too. */
async function openKeys({ keys }: DevOptions, flags: string, host: Host) {
  const file = resolve(host.cwd, keys)
  const secretsFile = await findSecretsFile(flags, host.git)
  const secrets = createKeptSecrets(secretsFile, host)
  let source: KeySource | undefined
  const findSource = () => {
    if (source === undefined && existsSync(file)) source = createKeyFileSource(file)
    return source
  }
  return { keys: createRunKeys(secrets, host.now(), findSource), isKept: secretsFile !== undefined }
}

const proxyConfig = (options: DevOptions, out: string, host: Host) => ({
  snapshots: [createBuiltSnapshots(out)],
  host: options.host,
  defaultBucket,
  evaluateBucket: defaultEvaluateBucket,
  corsOrigins: options.corsOrigin,
  drainDelay: 0,
  pollInterval: keyPollInterval,
  clock: host,
  eventsSecret: host.randomBytes(32),
  logger: createLog(host),
})

/** The proxy's warnings and errors as sentences on stderr. */
function createLog({ stderr }: Pick<Host, "stderr">): Logger {
  const write = (line: string) => stderr.write(`flagstone: ${printableLines(formatLogLine(line))}\n`)
  return pino({ level: "warn" }, { write })
}

function formatLogLine(line: string): string {
  const { msg, reason, environments, err } = JSON.parse(line)
  const details = [reason, environments?.join(", "), err?.stack].filter((detail) => detail !== undefined)
  return [msg, ...details].join(": ")
}

/** Returns a function that makes the page that a request asks for, of the build that is served at `url`. */
function createPages(options: DevOptions & { readonly allowShallow: boolean }, keys: RunKeys, host: Host) {
  const catalogFor = createCatalogPage(compileOptions(options, host), host)
  return (event: H3Event, { input, made }: Built, url: string) => {
    const { pathname } = event.url
    if (!["/", commandsPath].includes(pathname) || !mayReadPage(event, options.host)) return undefined
    if (pathname === "/") return catalogFor(input)
    return createPage({ project: input.project.name, size: sizeOf(made), url, keys: keys.current })
  }
}

type Built = Extract<ProjectResult<Build>, { kind: "made" }>

/** What a running proxy cannot change. */
const fixedOf = ({ input: { project } }: Built) => JSON.stringify([project.name, project.clock])

const restartMessage =
  "project.yaml has a different `project` or `clock`: restart flagstone dev, which serves the flags from before that change"

/** True for the editor's schemas, and their temporary files, which builds write into the flags folder. */
const isSchemaFile = (name: string): boolean =>
  editorSchemaFileNames.some((schema) => name === schema || name.startsWith(`.${schema}.`))

/** Throws `Failure` if the output is in the flags folder: each build would start the next. */
function refuseLoop(flags: string, out: string): void {
  if (out !== flags && relative(flags, out).startsWith("..")) return
  throw new Failure("--out is inside the flags folder: choose a folder outside it")
}

/** The project file may be briefly missing while an editor or git replaces it; `dev` must survive that. */
function sayFailure(error: unknown, host: Host): void {
  host.stderr.write(`flagstone: ${printableLines((error as Error).message)}\n`)
}

function sizeOf({ snapshots, manifest }: Build): string {
  const [first] = Object.values(manifest.environments)
  return `${plural(first?.flags ?? 0, "flag")} in ${plural(snapshots.length, "environment")}`
}
