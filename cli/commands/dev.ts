import { existsSync } from "node:fs"
import { relative, resolve } from "node:path"
import { Command } from "commander"
import { pino } from "pino"
import { createFileKeySource } from "../../proxy/keys/file-key-source.ts"
import { createDirectorySource } from "../../proxy/snapshots/directory-source.ts"
import { buildProject } from "../build-project.ts"
import type { Build } from "../compile/meaning/build.ts"
import { plural } from "../diagnostics/format-text.ts"
import { printableLines } from "../diagnostics/printable.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { watchFolder } from "../watch.ts"
import { createRunKeys } from "./dev-keys.ts"
import { defaultBucket, flagsOption, hostOption, keysOption, outOption, portOption } from "./options.ts"
import { start, untilStopped } from "./serve.ts"

/** The options of `dev`. */
export interface DevOptions {
  readonly flags: string
  readonly out: string
  readonly keys: string
  readonly host: string
  readonly port: number
}

export const devCommand = (host: Host, exit: Exit): Command =>
  new Command("dev")
    .addOption(flagsOption())
    .addOption(outOption())
    .addOption(keysOption())
    .addOption(hostOption())
    .addOption(portOption())
    .addHelpText("after", "\nExample:\n  $ flagstone dev --flags flags --port 8080")
    .action((options: DevOptions) => exit(runDev(options, host)))

/** Milliseconds between two polls of the flags folder: short enough to seem immediate, long enough to cost nothing. */
const watchInterval = 300

/** Milliseconds between two polls of the key file. */
const keyPollInterval = 1_000

/** While someone edits flags they are not committed, and their times do not matter yet. */
const suppressedCodes = ["not-committed", "not-in-git", "shallow-clone"] as const

/** Serves until a signal. If the flags have errors they are printed, and the last good build stays served. */
export async function runDev(options: DevOptions, host: Host): Promise<ExitStatus> {
  const flags = resolve(host.cwd, options.flags)
  const out = resolve(host.cwd, options.out)
  refuseLoop(flags, out)
  const say = (line: string) => host.stdout.write(`${line}\n`)
  const build = () => buildProject({ ...options, allowShallow: true }, host, suppressedCodes)
  const watch = watchFolder(flags, watchInterval) // before the first build, so that no change is missed
  const first = await build()
  if (first.kind === "errors") return first.status

  const keyFile = resolve(host.cwd, options.keys)
  const keys = createRunKeys(host, existsSync(keyFile) ? createFileKeySource(keyFile) : undefined)
  keys.mintFor(Object.keys(first.build.manifest.environments))
  const proxy = await start({
    snapshots: [createDirectorySource({ directory: out })],
    keys,
    host: options.host,
    port: options.port,
    defaultBucket,
    corsOrigins: [],
    drainDelay: 0,
    pollInterval: keyPollInterval,
    clock: host,
    logger: pino({ level: "warn" }, host.stderr),
  })
  const sayKeys = () => {
    for (const { environment, secret } of keys.takeUnprinted()) {
      say(`${environment}:\n  curl -H "Authorization: Bearer ${secret}" ${proxy.url}/v1/flags`)
    }
  }
  const size = sizeOf(first.build)
  say(`${options.flags}: ${size}; ${proxy.url} serves them and follows every change until Ctrl-C\n`)
  sayKeys()

  watch.start(async () => {
    const next = await build().catch((error: unknown) => sayFailure(error, host))
    if (next === undefined || next.kind === "errors") return
    keys.mintFor(Object.keys(next.build.manifest.environments))
    await proxy.reload()
    say(`${options.flags}: ${sizeOf(next.build)}`)
    sayKeys()
  })
  await untilStopped(Promise.resolve(proxy), host)
  watch.stop()
  return 0
}

/** Each build would be a change that starts the next build. */
function refuseLoop(flags: string, out: string): void {
  if (out !== flags && relative(flags, out).startsWith("..")) return
  throw new Failure("--out lies in the flags folder: name a folder elsewhere")
}

/** While an editor or git replaces files, the project file may be missing for a moment. `dev` must survive that. */
function sayFailure(error: unknown, host: Host): undefined {
  host.stderr.write(`flagstone: ${printableLines((error as Error).message)}\n`)
}

function sizeOf({ snapshots, manifest }: Build): string {
  const [first] = Object.values(manifest.environments)
  return `${plural(first?.flags ?? 0, "flag")} in ${plural(snapshots.length, "environment")}`
}
