import { isIP } from "node:net"

/** An address and a port to listen on; port 0: any free one. */
export interface Listening {
  readonly host: string
  readonly port: number
}

/** Where a proxy should listen. */
export interface ProxyListening extends Listening {
  /** `undefined`: there are no metrics. */
  readonly adminPort?: number | undefined
  /** Loopback by default. */
  readonly adminHost?: string | undefined
}

export const loopback = "127.0.0.1"

/** Says what to fix if a proxy would use one port twice; `undefined`: nothing. */
export function findCollision({
  host,
  port,
  adminPort,
  adminHost = loopback,
}: ProxyListening): string | undefined {
  if (adminPort === undefined || !collide({ host, port }, { host: adminHost, port: adminPort }))
    return undefined
  return `--port and --admin-port are both ${port}; choose a different --admin-port`
}

/**
 * Whether two servers of one process would use the same port. A name may stand for any address, and a wildcard for all,
 * so only two different numeric addresses can share a port.
 */
function collide(one: Listening, other: Listening): boolean {
  if (one.port !== other.port || one.port === 0) return false
  return one.host === other.host || ![one, other].every(({ host }) => isIP(host) > 0 && !isWildcard(host))
}

function isWildcard(host: string): boolean {
  return /^[0:.]+$/.test(host)
}
