import type { KeyObject } from "node:crypto"
import { adviceOnRedirect } from "../../proxy/contract/http.ts"
import type { Manifest } from "../../proxy/contract/manifest.ts"
import { flagsPath } from "../../sdk/contract/paths.ts"
import { Failure } from "../failure.ts"
import { type ApiLayout, apiFiles } from "../publish/api-files.ts"
import { readHeaderValue } from "../publish/header-value.ts"
import { inParallel } from "../publish/in-parallel.ts"
import { pointerPath } from "../publish/layout.ts"
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
  readonly manifestBytes?: Buffer
  /** By environment. What is missing or damaged at a target is not there. */
  readonly documents: ReadonlyMap<string, Buffer>
  /** Paths of the read API whose files are not what the documents say. */
  readonly strayPaths: readonly string[]
  /** Whether the key signed the set; `undefined`: there is no key. */
  readonly isSigned: boolean | undefined
}

/** Reads the current set of a target, and its files of the read API. Throws `Failure` if there is none, or it cannot be read. */
export async function readSet(
  target: PublishTarget,
  key: KeyObject | undefined,
): Promise<Served | "damaged"> {
  const { storedPointer, pointer, signature, current, index } = await readPublished(target)
  if (storedPointer === undefined)
    throw new Failure(
      `${target.location} has no ${pointerPath}: nothing was published there, or it is what clients have, and needs --environment`,
    )
  if (pointer === undefined) return "damaged"
  const { manifest, stored } = pointer
  const documents = await readIntact(target, manifest.environments)
  const layout = (current ?? index.revisions[0])?.layout
  return {
    ...{ location: target.location, manifest, manifestBytes: stored.bytes, documents },
    strayPaths: layout === undefined ? [] : await readStray(target, documents, layout),
    isSigned: key && isProved(stored, signature, key),
  }
}

async function readStray(
  target: PublishTarget,
  documents: ReadonlyMap<string, Buffer>,
  layout: ApiLayout,
): Promise<readonly string[]> {
  const found = await inParallel([...filesOf(documents, layout)], async ([path, bytes]) => {
    const stored = await target.read(path)
    return stored?.bytes.equals(bytes) ? [] : [path]
  })
  return found.flat()
}

/** None for a document that is no snapshot: that is a difference of its own. */
function filesOf(documents: ReadonlyMap<string, Buffer>, layout: ApiLayout): ReadonlyMap<string, Buffer> {
  try {
    return apiFiles(documents, layout)
  } catch (error) {
    if (error instanceof Failure) return new Map()
    throw error
  }
}

/** Reads what clients of an environment get at an address of the read API, with a key if it needs one. Throws `Failure`. */
export async function readApi(
  address: string,
  environment: string,
  apiKey: string | undefined,
  web: Web,
): Promise<Served> {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address))
    throw new Failure(`--environment is for a URL that clients have, such as https://flags.example.com`)
  const url = new URL(`${address.replace(/\/+$/, "")}${flagsPath}`)
  const authorization = apiKey && `Bearer ${readHeaderValue("FLAGSTONE_API_KEY", apiKey)}`
  const headers = {
    ...(authorization && { authorization }),
    ...{ "cache-control": "no-cache", "accept-encoding": "identity" },
  }
  const { status, body } = await web.request(() => ({ method: "GET", url, headers }), mostBytes)
  if (status === 401 || status === 403)
    throw new Failure(
      `${url.href} returned ${status}: ${authorization ? "the server refused the key in FLAGSTONE_API_KEY; set it to one" : "set FLAGSTONE_API_KEY to a key"} that may read`,
    )
  const fix =
    status === 404 ? `: give the URL that clients have before ${flagsPath}` : adviceOnRedirect(status)
  if (status !== 200) throw new Failure(`${url.href} returned ${status}${fix}`)
  const documents = new Map([[environment, body]])
  return { location: address, manifest: undefined, documents, strayPaths: [], isSigned: undefined }
}

/** The most that SDKs read of a document. */
const mostBytes = 64 * 2 ** 20
