import { adviceOnRedirect } from "../../proxy/contract/http.ts"
import { Failure } from "../failure.ts"
import { longestAt } from "./layout.ts"
import type { PublishTarget } from "./target.ts"
import type { Web, WebResponse } from "./web.ts"

/** An HTTP server that accepts `PUT` and `DELETE` at the address where readers `GET` (RFC 9110, 9.3.4). */
export interface HttpTargetConfig {
  /** No slash at the end. */
  readonly base: string
  /** The whole `Authorization` header; `undefined`: none. */
  readonly authorization: string | undefined
  readonly web: Web
}

export function createHttpTarget({ base, authorization, web }: HttpTargetConfig): PublishTarget {
  const credentials = authorization === undefined ? {} : { authorization }
  const urlOf = (path: string) => new URL(`${base}/${path}`)
  const refused = (method: string, url: URL, response: WebResponse) =>
    failureOf(method, url, response, authorization !== undefined)

  return {
    location: base,
    address: base,
    async read(path) {
      const headers = { ...credentials, "cache-control": "no-cache", "accept-encoding": "identity" }
      const response = await web.request(
        () => ({ method: "GET", url: urlOf(path), headers }),
        longestAt(path),
      )
      if (response.status === 404 || response.status === 410) return undefined
      if (response.status !== 200) throw refused("GET", urlOf(path), response)
      return { bytes: response.body, version: strongETag(response) }
    },
    async write({ path, bytes, contentType, cacheControl }, condition) {
      const headers = { ...credentials, "content-type": contentType, "cache-control": cacheControl }
      const put = (more: Record<string, string>) =>
        web.request(() => ({
          method: "PUT",
          url: urlOf(path),
          headers: { ...headers, ...more },
          body: bytes,
        }))
      let response = await put(conditionHeaders(condition))
      if (condition !== undefined && response.status === 501) response = await put({}) // it does not support conditions
      if (condition !== undefined && response.status === 412) return "lost"
      if (response.status < 200 || response.status > 299) throw refused("PUT", urlOf(path), response)
      return "written"
    },
    async remove(path) {
      const response = await web.request(() => ({ method: "DELETE", url: urlOf(path), headers: credentials }))
      const isGone = response.status === 404 || response.status === 410
      if (!isGone && (response.status < 200 || response.status > 299))
        throw refused("DELETE", urlOf(path), response)
    },
    close: () => web.close(),
  }
}

/** RFC 9110, 13.1.1 and 13.1.2. Without a version there is no condition to send. */
export function conditionHeaders(condition: Parameters<PublishTarget["write"]>[1]): Record<string, string> {
  if (condition === undefined) return {}
  if (condition.replaces === undefined) return { "if-none-match": "*" }
  const { version } = condition.replaces
  return version === undefined ? {} : { "if-match": version }
}

/** `If-Match` compares strongly, so a weak tag would never match. */
export function strongETag({ headers }: WebResponse): string | undefined {
  return typeof headers.etag === "string" && headers.etag.startsWith('"') ? headers.etag : undefined
}

function failureOf(
  method: string,
  { origin, pathname }: URL,
  { status }: WebResponse,
  isAuthorized: boolean,
): Failure {
  const advice = isAuthorized
    ? "; the server refused FLAGSTONE_PUBLISH_AUTHORIZATION: check its value and its rights"
    : "; set FLAGSTONE_PUBLISH_AUTHORIZATION"
  const fix =
    status === 401 || status === 403
      ? advice
      : method === "PUT" && status === 409 && /\/v1\/flags(\/|$)/.test(pathname)
        ? "; if this server keeps flags and flags/… as files, publish with --no-per-flag"
        : adviceOnRedirect(status)
  return new Failure(`${method} ${origin}${pathname}: returned ${status}${fix}`)
}
