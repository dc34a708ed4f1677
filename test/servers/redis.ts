import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "@redis/client"
import { describe } from "vitest"
import { ended } from "./nginx.ts"
import { freePort, untilListening } from "./ports.ts"

const names = ["redis-server", "valkey-server"]
const installed = names.filter((name) => spawnSync(name, ["--version"]).status === 0)
for (const name of names)
  if (!installed.includes(name))
    console.warn(`SKIPPED: shared limits on ${name}, because it is not installed`)

/** Whether this machine has a store to share limits by. */
export const hasRedis = installed.length > 0

/** Tests with each store that there is. */
export function describeStores(body: (name: string) => void): void {
  for (const name of names) describe.skipIf(!installed.includes(name))(name, () => body(name))
}

/** A store of a test's own. */
export interface TestRedis {
  readonly url: string
  readonly port: number
  /** Its Unix socket. */
  readonly socket: string
  readonly child: ChildProcess
  /** Sends one command as the operator; an error reply throws. */
  command(...args: readonly string[]): Promise<unknown>
  stop(): Promise<void>
}

/** Starts a store that writes nothing to the disk; `args` are its settings, such as `--maxmemory 1mb`, beside those of a file. */
export async function startRedis(
  name = installed[0] ?? "redis-server",
  args: readonly string[] = [],
  chosenPort?: number,
  file?: string,
): Promise<TestRedis> {
  const port = chosenPort ?? (await freePort())
  const home = mkdtempSync(join(tmpdir(), "flagstone-redis-"))
  const socket = join(home, "socket")
  const own = ["--port", String(port), "--bind", "127.0.0.1", "--unixsocket", socket, "--dir", home]
  const settings = file === undefined ? [] : [file]
  const child = spawn(name, [...settings, ...own, "--save", "", ...args], {
    stdio: "ignore",
  })
  await untilListening(port)
  let client: Promise<{ sendCommand(args: string[]): Promise<unknown>; destroy(): void }> | undefined
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    socket,
    child,
    async command(...args) {
      client ??= createClient({ socket: { host: "127.0.0.1", port } })
        .on("error", () => undefined)
        .connect()
      return (await client).sendCommand([...args])
    },
    async stop() {
      child.kill("SIGCONT")
      if (client !== undefined) (await client).destroy()
      await ended(child)
      rmSync(home, { recursive: true, force: true })
    },
  }
}
