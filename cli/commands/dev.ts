import { existsSync } from "node:fs"
import { relative, resolve } from "node:path"
import { Command } from "commander"
import { pino } from "pino"
import { createFileKeySource } from "../../proxy/keys/file-key-source.ts"
import { createDirectorySource } from "../../proxy/snapshots/directory-source.ts"
import type { Build } from "../compile/assemble.ts"
import { plural } from "../diagnostics/format-text.ts"
import type { ExitStatus, Host } from "../host.ts"
import type { Exit } from "../program.ts"
import { watchFolder } from "../watch.ts"
import { compileAndWrite } from "./build.ts"
import { createRunKeys } from "./dev-keys.ts"
import { flagsOption, hostOption, keysOption, outOption, portOption } from "./options.ts"
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
    .description("Build, serve, and build again on every change, with API keys made for this run.")
    .addOption(flagsOption())
    .addOption(outOption())
    .addOption(keysOption())
    .addOption(hostOption())
    .addOption(portOption())
    .addHelpText("after", "\nExample:\n  $ flagstone dev --flags flags --port 8080")
    .action((options: DevOptions) => exit(runDev(options, host)))

/** Milliseconds between two looks at the flags folder: soon enough to seem at once, seldom enough to cost nothing. */
const watchInterval = 300

/** Who edits flags has not committed them yet. */
const unsaid = ["not-committed", "not-in-git"] as const

/** Serves until a signal. Mistakes in the flags are printed, and what was built last goes on being served. */
export async function runDev(options: DevOptions, host: Host): Promise<ExitStatus> {
  const keyFile = resolve(host.cwd, options.keys)
  const keys = createRunKeys(host, existsSync(keyFile) ? createFileKeySource(keyFile) : undefined)
  const first = await compileAndWrite(options, host, unsaid)
  if (first.kind === "mistakes") return first.status
  keys.mintFor(Object.keys(first.build.manifest.environments))

  const proxy = await start({
    snapshots: [createDirectorySource(resolve(host.cwd, options.out))],
    keys,
    host: options.host,
    port: options.port,
    defaultBucket: { capacity: 100, refillPerSecond: 10 },
    corsOrigins: [],
    drainDelay: 0,
    pollInterval: 0,
    now: host.now,
    monotonicNow: host.monotonicNow,
    logger: pino({ level: "warn" }, host.stderr),
  })
  const say = (line: string) => host.stdout.write(`${line}\n`)
  const sayKeys = () => {
    for (const { environment, secret } of keys.takeUnsaid()) {
      say(`${environment}:\n  curl -H "Authorization: Bearer ${secret}" ${proxy.url}/v1/flags`)
    }
  }
  say(
    `${options.flags}: ${sizeOf(first.build)}; ${proxy.url} serves them and follows every change until Ctrl-C\n`,
  )
  sayKeys()

  const unwatch = watchFolder(resolve(host.cwd, options.flags), watchInterval, async () => {
    const next = await compileAndWrite(options, host, unsaid)
    if (next.kind === "mistakes") return
    keys.mintFor(Object.keys(next.build.manifest.environments))
    await proxy.reload()
    say(`${relative(host.cwd, resolve(host.cwd, options.flags))}: ${sizeOf(next.build)}`)
    sayKeys()
  })
  await untilStopped(proxy, host)
  unwatch()
  return 0
}

function sizeOf({ snapshots, manifest }: Build): string {
  const [first] = Object.values(manifest.environments)
  return `${plural(first?.flags ?? 0, "flag")} in ${plural(snapshots.length, "environment")}`
}
