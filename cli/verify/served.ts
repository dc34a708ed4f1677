import type { KeyObject } from "node:crypto"
import type { Manifest } from "../../proxy/contract/manifest.ts"
import { flagsPath } from "../../sdk/contract/paths.ts"
import { Failure } from "../failure.ts"
import { readHeaderValue } from "../publish/header-value.ts"
import { readIntact, readPublished } from "../publish/published.ts"
import { isProved } from "../publish/signatures.ts"
import type { PublishTarget } from "../publish/target.ts"
import type { Web } from "../publish/web.ts"

/** What readers of an address have. */
export interface Served {
  /** Names the address in messages. */
  readonly location: string
  /** A target's current set; `undefined`: the read API, which has none. */
  readonly manifest: Manifest | undefined
  /** By environment; of the read API, one under the address. What is missing or damaged at a target is not there. */
  readonly documents: ReadonlyMap<string, Buffer>
  /** Whether the key signed the set; `undefined`: there is no key. */
  readonly isSigned: boolean | undefined
}

/** Reads the current set of a target; `undefined` if nothing was published there. Throws `Failure` if it cannot be read. */
export async function readSet(
  target: PublishTarget,
  key: KeyObject | undefined,
): Promise<Served | undefined> {
  const { pointer, signature } = await readPublished(target)
  if (pointer === undefined) return undefined
  const { manifest, stored } = pointer
  const documents = await readIntact(target, manifest.environments)
  return { location: target.location, manifest, documents, isSigned: key && isProved(stored, signature, key) }
}

/** Reads what clients of the read API at an address get with a key, if it needs one. Throws `Failure`. */
export async function readApi(address: string, apiKey: string | undefined, web: Web): Promise<Served> {
  const url = new URL(`${address.replace(/\/+$/, "")}${flagsPath}`)
  const authorization = apiKey && `Bearer ${readHeaderValue("FLAGSTONE_API_KEY", apiKey)}`
  const headers = { ...(authorization && { authorization }), "cache-control": "no-cache" }
  const { status, body } = await web.request(() => ({ method: "GET", url, headers }), mostBytes)
  if (status === 401 || status === 403)
    throw new Failure(`${url.href} answered ${status}: set FLAGSTONE_API_KEY to a key that may read`)
  if (status !== 200)
    throw new Failure(
      `${url.href} answered ${status}: name a publish target, or what clients have before ${flagsPath}`,
    )
  return {
    location: address,
    manifest: undefined,
    documents: new Map([[address, body]]),
    isSigned: undefined,
  }
}

/** The most that SDKs read of a document. */
const mostBytes = 64 * 2 ** 20
