import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ended } from "./nginx.ts"
import { freePort, untilListening } from "./ports.ts"

/** Whether this machine has Varnish. */
export const hasVarnish = spawnSync("varnishd", ["-V"]).status === 0

/** A Varnish with its defaults in front of a server. */
export async function startVarnish(
  backend: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const home = mkdtempSync(join(tmpdir(), "flagstone-varnish-"))
  const { host } = new URL(backend)
  const child = spawn(
    "varnishd",
    ["-F", "-a", `127.0.0.1:${port}`, "-b", host, "-n", home, "-s", "malloc,16m", "-j", "none"],
    { stdio: "ignore" },
  )
  await untilListening(port)
  return { url: `http://127.0.0.1:${port}`, stop: () => ended(child) }
}
