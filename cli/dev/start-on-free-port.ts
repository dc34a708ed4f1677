import { type ProxyConfig, type RunningProxy, startProxy } from "../../proxy/serve.ts"
import { Failure } from "../failure.ts"

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
): Promise<RunningProxy> {
  for (let tried = port ?? firstPort; ; tried++) {
    try {
      return await startProxy({ ...config, port: tried })
    } catch (cause) {
      const isNextTried = port === undefined && tried + 1 < firstPort + attempts
      if (!isTaken(cause) || !isNextTried) throw new Failure((cause as Error).message, { cause })
    }
  }
}

/** Whether a proxy could not start because another program has its port. */
function isTaken(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } }
  return cause?.code === "EADDRINUSE"
}
