import { hash } from "node:crypto"
import { AwsV4Signer } from "aws4fetch"
import { Failure } from "../failure.ts"
import { readHeaderValue } from "./header-value.ts"
import type { WebRequest } from "./web.ts"

/** A bucket of an S3-compatible store. */
export interface S3Bucket {
  readonly bucket: string
  /** The standard `AWS_*` variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Wall clock, milliseconds since the epoch: a signature has a date. */
  readonly now: () => number
}

/** Signs requests for a bucket. */
export interface S3Signer {
  /** The bucket's address, without a slash at its end. */
  readonly address: string
  /** The request with the headers that prove who sends it. */
  sign(request: WebRequest): Promise<WebRequest>
}

/** The bucket and the prefix, without slashes at its ends, that `s3://bucket/prefix` names. Throws `Failure`. */
export function parseS3Address(text: string): { readonly bucket: string; readonly prefix: string } {
  const [, bucket, prefix] = /^s3:\/\/([a-z0-9][a-z0-9.-]{2,62})((?:\/[A-Za-z0-9._-]+)*)\/?$/.exec(text) ?? []
  if (bucket === undefined || prefix === undefined || /(^|\/)\.\.?(\/|$)/.test(prefix))
    throw new Failure(
      "write s3://bucket/prefix: a bucket's name has 3 to 63 lower-case letters, digits, dots and dashes, and the prefix is plain names joined by /",
    )
  return { bucket, prefix: prefix.slice(1) }
}

/**
 * Signs with Signature Version 4. Every S3-compatible store knows the signed digest; some refuse `x-amz-checksum-*`. Throws
 * `Failure` if a variable is missing or not valid.
 */
export function createS3Signer({ bucket, env, now }: S3Bucket): S3Signer {
  const credentials = readCredentials(env)
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || "us-east-1"
  const keys = new Map<string, ArrayBuffer>()
  return {
    address: bucketAddress(bucket, region, env),
    async sign({ method, url, headers, body }) {
      const signer = new AwsV4Signer({
        ...credentials,
        method,
        url: url.href,
        headers: { ...headers, "x-amz-content-sha256": hash("sha256", body ?? "") },
        service: "s3",
        region,
        datetime: new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, ""),
        cache: keys,
      })
      const request = await signer.sign()
      return { method, url: request.url, headers: Object.fromEntries(request.headers), ...(body && { body }) }
    },
  }
}

function readCredentials(env: S3Bucket["env"]) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!accessKeyId || !secretAccessKey)
    throw new Failure("s3:// needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; set both")
  const sessionToken = env.AWS_SESSION_TOKEN && readHeaderValue("AWS_SESSION_TOKEN", env.AWS_SESSION_TOKEN)
  return {
    accessKeyId: readHeaderValue("AWS_ACCESS_KEY_ID", accessKeyId),
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
  }
}

/** The bucket's address. Only Amazon has a host name per bucket, and its certificate does not cover buckets with a dot. */
function bucketAddress(bucket: string, region: string, env: S3Bucket["env"]): string {
  const given = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL
  if (given !== undefined && given !== "") {
    const url = URL.parse(given)
    // It is printed, so it must not hold credentials; paths are appended to it.
    if (
      url === null ||
      !/^https?:$/.test(url.protocol) ||
      url.username ||
      url.password ||
      url.search ||
      url.hash
    )
      throw new Failure(
        "AWS_ENDPOINT_URL_S3 must be an http:// or https:// URL that ends with its path and contains no credentials",
      )
    return `${given.replace(/\/+$/, "")}/${bucket}`
  }
  return bucket.includes(".")
    ? `https://s3.${region}.amazonaws.com/${bucket}`
    : `https://${bucket}.s3.${region}.amazonaws.com`
}
