import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "@redis/client"
import { describe } from "vitest"
import { makeCertificate } from "./certificate.ts"
import { ended } from "./nginx.ts"
import { freePort, untilListening } from "./ports.ts"

const names = ["redis-server", "valkey-server"]
const installed = names.filter((name) => spawnSync(name, ["--version"]).status === 0)
for (const name of names)
  if (!installed.includes(name))
    console.warn(`SKIPPED: shared limits on ${name}, because it is not installed`)

/** Whether this machine has a store for shared limits. */
export const hasRedis = installed.length > 0

/** Tests with each available store. */
export function describeStores(body: (name: string) => void): void {
  for (const name of names) describe.skipIf(!installed.includes(name))(name, () => body(name))
}

/** Whether a store was built with TLS: it then complains about its missing certificate. */
export function hasTls(name: string): boolean {
  const { stdout } = spawnSync(name, ["--port", "0", "--tls-port", "1", "--save", ""], {
    encoding: "utf8",
    timeout: 5_000,
  })
  const found = /Failed to configure TLS/.test(stdout ?? "")
  if (!found && installed.includes(name)) console.warn(`SKIPPED: ${name} over TLS, for which it is not built`)
  return found
}

/** A test's own store. */
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

/** Starts a store that writes nothing to the disk; `args` are its settings, such as `--maxmemory 1mb`. */
export async function startRedis(
  name = installed[0] ?? "redis-server",
  args: readonly string[] = [],
  { port: chosenPort, env = {} }: { readonly port?: number; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<TestRedis> {
  const port = chosenPort ?? (await freePort())
  const home = mkdtempSync(join(tmpdir(), "flagstone-redis-"))
  const socket = join(home, "socket")
  const own = ["--port", String(port), "--bind", "127.0.0.1", "--unixsocket", socket, "--dir", home]
  const child = spawn(name, [...own, "--save", "", ...args], {
    stdio: "ignore",
    env: { ...process.env, ...env },
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

/** A store that also speaks TLS at `tlsUrl`, with an untrusted certificate: the file `certificate`. */
export async function startTlsRedis(
  name: string,
): Promise<TestRedis & { readonly tlsUrl: string; readonly certificate: string }> {
  const home = mkdtempSync(join(tmpdir(), "flagstone-tls-"))
  const { key, certificate } = makeCertificate(home)
  const tlsPort = await freePort()
  const files = ["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-auth-clients", "no"]
  const redis = await startRedis(name, ["--tls-port", String(tlsPort), ...files])
  return {
    ...redis,
    tlsUrl: `rediss://127.0.0.1:${tlsPort}`,
    certificate,
    async stop() {
      await redis.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
