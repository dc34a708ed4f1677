import type { IncomingMessage } from "node:http"
import type { Exchange, ProxyRequest } from "./exchange.ts"

/**
 * False for what is a 400, though Node's parser accepts it: no `Host`, or two of them (RFC 9112, 3.2; Node's own check
 * would answer without a body), and HTTP/1.0 with `Transfer-Encoding`, whose body may end elsewhere for a proxy in front
 * (6.1).
 */
export function isWellFormed({ headers, httpVersionMinor }: IncomingMessage): boolean {
  const { host } = headers
  if (httpVersionMinor === 0 && headers["transfer-encoding"] !== undefined) return false
  return host === undefined ? httpVersionMinor === 0 : !host.includes(",")
}

/** Turns a request of Node into the form that routes read. */
export function readRequest(req: IncomingMessage, exchange: Exchange): ProxyRequest {
  const { method = "", url = "/", headers, socket } = req
  return { method, path: pathOf(url), target: url, headers, peer: socket, body: req, exchange }
}

/** The path of an origin-form or absolute-form target (RFC 9112, 3.2); `/` if it has none. */
function pathOf(target: string): string {
  const isOrigin = target.startsWith("/")
  const start = isOrigin ? 0 : target.indexOf("/", target.indexOf("://") + 3)
  const query = target.indexOf("?")
  if (start < 0 || (query >= 0 && query < start)) return "/"
  return query < 0 ? target.slice(start) : target.slice(start, query)
}
