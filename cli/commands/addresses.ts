import { hash } from "node:crypto"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { readHeaderValue } from "../publish/header-value.ts"

// Shared by the commands that read from addresses. `option` is the option that gave the address.

/** Whether a source is at an address, not in a folder or file. Throws a `Failure` for an address that cannot be read. */
export function isAddress(option: string, text: string): boolean {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text) ?? []
  if (scheme === undefined) return false
  if (/^(https?|s3)$/i.test(scheme)) return true
  throw new Failure(`${option}: write a path, s3://… or https://…, not ${scheme}://…`)
}

/** Where files are read, and what proves to the server who asks. */
export interface ReadAddress {
  readonly url: URL
  readonly authorization: string | undefined
  /** The headers that prove it to a store, for one file. */
  readonly sign?: (url: URL) => Promise<Readonly<Record<string, string>>>
}

/**
 * Reads the address of a file or folder: `https://…`, or `s3://bucket/path` for requests that the `AWS_*` variables sign, as
 * they do for `publish`, instead of an `authorization`. Throws `Failure`.
 */
export async function readAddress(
  option: string,
  text: string,
  authorization: string | undefined,
  host: Pick<Host, "env" | "now">,
): Promise<ReadAddress> {
  if (!isStore(text)) return { url: parseAddress(option, text), authorization }
  const { createS3Signer, parseS3Address } = await import("../publish/s3-signer.ts")
  const { bucket, prefix } = parseS3Address(text)
  const { address, sign } = createS3Signer({ bucket, ...host })
  return {
    url: new URL(`${address}/${prefix}`),
    authorization: undefined,
    sign: async (url) => (await sign({ method: "GET", url, headers: {} })).headers,
  }
}

const isStore = (text: string) => /^s3:/i.test(text)

/** Parses the address of a file or folder. Throws a `Failure` for one that could hold a secret: addresses are logged. */
function parseAddress(option: string, text: string): URL {
  const url = URL.parse(text)
  if (url === null) throw new Failure(`${option}: not a URL; write one like https://flags.example/shop/`)
  if (url.username !== "" || url.password !== "")
    throw new Failure(
      `${option}: URLs are logged; put credentials in FLAGSTONE_SNAPSHOTS_AUTHORIZATION instead`,
    )
  if (url.search !== "" || url.hash !== "")
    throw new Failure(`${option}: remove \`?\` or \`#\` and everything after it from the URL`)
  return url
}

/** The name of an address's folder in `--cache-dir`; no two addresses share one. */
export function cacheFolderOf({ href }: URL): string {
  return hash("sha256", href, "hex").slice(0, 16)
}

/**
 * The `Authorization` header for the server that some of these folders and addresses name; `undefined`: none. Throws a
 * `Failure` if it would go to several servers.
 */
export function readAuthorization(
  { env }: Pick<Host, "env">,
  sources: readonly string[],
): string | undefined {
  const text = env.FLAGSTONE_SNAPSHOTS_AUTHORIZATION
  if (text === undefined || text === "") return undefined
  const sent = sources.filter((address) => isAddress("--snapshots", address) && !isStore(address))
  if (new Set(sent.map((address) => parseAddress("--snapshots", address).origin)).size > 1)
    throw new Failure(
      "FLAGSTONE_SNAPSHOTS_AUTHORIZATION would be sent to several servers; run a proxy for each, or put them behind one",
    )
  return readHeaderValue("FLAGSTONE_SNAPSHOTS_AUTHORIZATION", text)
}
