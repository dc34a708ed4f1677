import { type ProxyConfig, type RunningProxy, startProxy } from "../../proxy/serve.ts"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { commandName } from "../init/command-name.ts"

/** The port that is tried first by default. */
export const firstPort = 8080
const attempts = 100

/**
 * Starts a proxy on `port`, or on the next free one from 8080 if that is `undefined`. Throws a `Failure` if it cannot
 * start.
 */
export async function startOnFreePort(
  config: Omit<ProxyConfig, "port">,
  port: number | undefined,
  host: Host,
): Promise<RunningProxy> {
  for (let tried = port ?? firstPort; ; tried++) {
    try {
      return await startProxy({ ...config, port: tried })
    } catch (cause) {
      if (!isTaken(cause)) throw new Failure((cause as Error).message, { cause })
      if (port === undefined && tried + 1 < firstPort + attempts) continue
      const fix = `${commandLine(host)} --port ${tried + 1}`
      throw new Failure(`port ${tried} on ${config.host} is in use; choose a different one: \`${fix}\``, {
        cause,
      })
    }
  }
}

/** Whether a proxy could not start because another program has its port. */
function isTaken(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } }
  return cause?.code === "EADDRINUSE"
}

/** The command that started `dev`, in a form that takes options: npm takes options before `--` as its own. */
function commandLine(host: Host): string {
  const script = host.env.npm_lifecycle_event
  if (script === undefined || script === "npx") return `${commandName(host)} dev`
  return script === "start" ? "npm start --" : `npm run ${script} --`
}
