import { hash } from "node:crypto"
import { adviceOfRegion, readStoreRefusal } from "../../proxy/contract/store-refusal.ts"
import { Failure } from "../failure.ts"
import { conditionHeaders, strongETag } from "./http-target.ts"
import { isApiPath, longestAt } from "./layout.ts"
import { createS3Signer, type S3Bucket } from "./s3-signer.ts"
import type { PublishTarget } from "./target.ts"
import type { Web, WebRequest, WebResponse } from "./web.ts"

/** A bucket of an S3-compatible store. */
export interface S3TargetConfig extends S3Bucket {
  /** Precedes every path; no slash at either end; `""`: none. */
  readonly prefix: string
  readonly web: Web
}

/**
 * A target that sends `Content-MD5`, which every S3-compatible store knows. Throws `Failure` if a variable is missing or
 * not valid.
 */
export function createS3Target({ bucket, prefix, env, now, web }: S3TargetConfig): PublishTarget {
  const store = createS3Signer({ bucket, env, now })
  const base = `${store.address}${prefix === "" ? "" : `/${prefix}`}`
  const signed = (
    method: WebRequest["method"],
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: Uint8Array,
  ) => store.sign({ method, url: new URL(`${base}/${path}`), headers: headers ?? {}, ...(body && { body }) })

  return {
    location: `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`,
    address: base,
    async read(path) {
      const response = await web.request(() => signed("GET", path), longestAt(path))
      if (isAbsence(response)) return undefined
      if (response.status !== 200) throw refused("GET", path, response)
      return { bytes: response.body, version: strongETag(response) }
    },
    async write({ path, bytes, contentType, cacheControl }, condition) {
      const headers = {
        "content-type": contentType,
        "cache-control": cacheControl,
        "content-md5": hash("md5", bytes, "base64"),
      }
      const put = (more: Record<string, string>) =>
        web.request(() => signed("PUT", path, { ...headers, ...more }, bytes))
      const conditions = conditionHeaders(condition)
      let response = await put(conditions)
      if (condition !== undefined) {
        // Two conditional writes collided, and the store may have refused both: Amazon says to try again.
        for (let tries = 1; isConflict(response) && tries < mostConflicts; tries++) {
          await web.pause(tries)
          response = await put(conditions)
        }
        if (response.status === 501) response = await put({}) // the store does not support conditions
        // Absent: the object that the condition refers to is gone.
        if (response.status === 412 || isConflict(response) || isAbsence(response)) return "lost"
      }
      if (response.status !== 200) throw refused("PUT", path, response)
      return "written"
    },
    async remove(path) {
      const response = await web.request(() => signed("DELETE", path))
      if (response.status !== 204 && response.status !== 200 && !isAbsence(response))
        throw refused("DELETE", path, response)
    },
    close: () => web.close(),
  }
}

const mostConflicts = 5

/** Whether the store itself says that an object is absent: unknown buckets and other servers answer 404, too. */
function isAbsence(response: WebResponse): boolean {
  return response.status === 404 && codeOf(response) === "NoSuchKey"
}

function isConflict(response: WebResponse): boolean {
  return (
    response.status === 409 && /^(ConditionalRequestConflict|OperationAborted)$/.test(codeOf(response) ?? "")
  )
}

const refusalOf = ({ body }: WebResponse) => readStoreRefusal(body.toString("latin1", 0, 4096))
const codeOf = (response: WebResponse) => refusalOf(response).code

function refused(method: WebRequest["method"], path: string, response: WebResponse): Failure {
  const code = codeOf(response)
  const said = `${response.status}${code === undefined ? "" : ` ${code}`}`
  return new Failure(`${method} ${path}: the store returned ${said}${fixFor(method, path, response)}`)
}

function fixFor(method: WebRequest["method"], path: string, response: WebResponse): string {
  const { status } = response
  const { code, advice } = refusalOf(response)
  if (advice !== undefined) return `; ${advice}`
  if (status === 301 || status === 307) return `; ${adviceOfRegion()}`
  if (status === 403 && (code === undefined || code === "AccessDenied"))
    // Stores answer this for absent objects if the right to list is missing, and a first publication reads absent
    // objects.
    return `; the credentials need ${method === "GET" ? "GetObject and ListBucket" : method === "PUT" ? "PutObject" : "DeleteObject"}`
  if (method === "PUT" && isApiPath(path) && (status === 409 || status === 500))
    return "; if this store keeps objects as files, it cannot have both flags and flags/…: publish with --no-per-flag"
  if (status === 404 && code === undefined)
    return "; this does not look like an S3 store: check AWS_ENDPOINT_URL_S3"
  return ""
}
