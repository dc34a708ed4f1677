import { hash } from "node:crypto"
import { AwsV4Signer } from "aws4fetch"
import { Failure } from "../failure.ts"
import { conditionHeaders, strongETag } from "./http-target.ts"
import type { PublishTarget } from "./target.ts"
import { readHeaderValue, type Web, type WebRequest, type WebResponse } from "./web.ts"

/** A bucket of an S3-compatible store. */
export interface S3TargetConfig {
  readonly bucket: string
  /** Stands before every path; no slash at either end; `""`: none. */
  readonly prefix: string
  /** The standard `AWS_*` variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Wall clock, milliseconds since the epoch: a signature has a date. */
  readonly now: () => number
  readonly web: Web
}

/**
 * Signs with Signature Version 4. The signed digest and `Content-MD5` are the checksums that every such store knows;
 * `x-amz-checksum-*` is refused by some. Throws `Failure` where a variable is missing or makes no sense.
 */
export function createS3Target({ bucket, prefix, env, now, web }: S3TargetConfig): PublishTarget {
  const credentials = readCredentials(env)
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || "us-east-1"
  const base = `${bucketAddress(bucket, region, env)}${prefix === "" ? "" : `/${prefix}`}`
  const keys = new Map<string, ArrayBuffer>()

  async function signed(
    method: WebRequest["method"],
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: Uint8Array,
  ): Promise<WebRequest> {
    const datetime = new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, "")
    const digest = hash("sha256", body ?? "")
    const signer = new AwsV4Signer({
      ...credentials,
      method,
      url: `${base}/${path}`,
      headers: { ...headers, "x-amz-content-sha256": digest },
      service: "s3",
      region,
      datetime,
      cache: keys,
    })
    const request = await signer.sign()
    return {
      method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      ...(body && { body }),
    }
  }

  return {
    location: `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`,
    address: base,
    async read(path) {
      const response = await web.request(() => signed("GET", path))
      if (response.status === 404 && !response.body.includes("<Code>NoSuchBucket")) return undefined
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
      // 501: the store knows no conditions. 409: two conditional writes met, and it took neither or the other.
      if (condition !== undefined && response.status === 501) response = await put({})
      if (condition !== undefined && (response.status === 412 || response.status === 409)) return "lost"
      if (response.status !== 200) throw refused("PUT", path, response)
      return "written"
    },
    async remove(path) {
      const response = await web.request(() => signed("DELETE", path))
      if (response.status !== 204 && response.status !== 200 && response.status !== 404)
        throw refused("DELETE", path, response)
    },
    close: () => web.close(),
  }
}

function readCredentials(env: S3TargetConfig["env"]) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!accessKeyId || !secretAccessKey)
    throw new Failure("an s3:// target needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; set both")
  const sessionToken = env.AWS_SESSION_TOKEN && readHeaderValue("AWS_SESSION_TOKEN", env.AWS_SESSION_TOKEN)
  return {
    accessKeyId: readHeaderValue("AWS_ACCESS_KEY_ID", accessKeyId),
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
  }
}

/** Other stores than Amazon's have no name for each bucket, and its certificate fits no bucket with a dot. */
function bucketAddress(bucket: string, region: string, env: S3TargetConfig["env"]): string {
  const given = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL
  if (given !== undefined && given !== "") {
    const url = URL.parse(given)
    // It is printed, so it holds no credentials; and paths are put to its end.
    if (
      url === null ||
      !/^https?:$/.test(url.protocol) ||
      url.username ||
      url.password ||
      url.search ||
      url.hash
    )
      throw new Failure("AWS_ENDPOINT_URL_S3 is not an http:// or https:// address that ends with its path")
    return `${given.replace(/\/+$/, "")}/${bucket}`
  }
  return bucket.includes(".")
    ? `https://s3.${region}.amazonaws.com/${bucket}`
    : `https://${bucket}.s3.${region}.amazonaws.com`
}

/** The store's own code says more than the status, and holds nothing of ours. */
function refused(method: string, path: string, { status, body }: WebResponse): Failure {
  const [, code] = /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(body.toString("latin1", 0, 4096)) ?? []
  // Without the right to list, a store answers so for what is not there, which a first publication asks for.
  const isDenied = method === "GET" && status === 403 && (code === undefined || code === "AccessDenied")
  const fix = isDenied ? "; the credentials need GetObject and ListBucket" : ""
  return new Failure(
    `${method} ${path}: the store answered ${status}${code === undefined ? "" : ` ${code}`}${fix}`,
  )
}
