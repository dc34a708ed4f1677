import type { IncomingMessage } from "node:http"
import type { H3Event } from "h3"
import { flagsPath } from "../../sdk/contract/paths.ts"
import { evaluatePath } from "../contract/http.ts"

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

/** A target that h3 may have, in origin form, and the path of the target that the client sent. */
export interface RoutedTarget {
  readonly target: string
  readonly path: string
}

/**
 * What h3 gets in place of a target that it would change; `undefined`: it may have the target. h3 decodes letters,
 * resolves dots and ignores a slash at the end: `/v1/flags/%2e%2e/%2e%2e/livez` would become a route that a cache or a
 * log in front of the proxy did not see. So a path that h3 would change is a flag's if it begins like one, and else no
 * route: `~` stands for what it contains. Nor is anything left for which h3 would make a `URL`, which throws if the
 * `Host` is no host.
 */
export function routedTarget(target: string): RoutedTarget | undefined {
  if (target.startsWith("/") && !changed.test(target)) return undefined
  const path = pathOf(target)
  const query = target.indexOf("?")
  const routed = changed.test(path)
    ? `${flagPrefixes.find((prefix) => path.startsWith(prefix)) ?? "/"}~`
    : path
  const rest = query < 0 ? "" : target.slice(query)
  return {
    target: routed + rest.replace(changedInQuery, encodeURIComponent).replaceAll("'", "%27"),
    path,
  }
}

/**
 * The path of an origin-form or absolute-form target (RFC 9112, 3.2); `/` if it has none. Clients of OFREP whose base
 * address ends with a slash request `//ofrep`; a 404 would mean to them that there are no flags.
 */
function pathOf(target: string): string {
  const start = target.startsWith("/") ? 0 : target.indexOf("/", target.indexOf("://") + 3)
  const query = target.indexOf("?")
  if (start < 0 || (query >= 0 && query < start)) return "/"
  const path = query < 0 ? target.slice(start) : target.slice(start, query)
  return path.startsWith(`/${evaluatePath}`) ? path.slice(1) : path
}

/** A flag's key, still encoded, in a request for `${list}/{key}`. */
export function encodedKey({ context, url }: H3Event, list: string): string {
  return (context.path ?? url.pathname).slice(list.length + 1)
}

const flagPrefixes = [`${flagsPath}/`, `${evaluatePath}/`]
const changed = /[%\\^#"'<>{}`|]|[^\x21-\x7e]|\/[./]|.\/(?:\?|$)/
const changedInQuery = /[^\x21-\x7e]|[#"<>]/g
