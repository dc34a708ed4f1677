import { hash } from "node:crypto"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { readHeaderValue } from "../publish/header-value.ts"

// What the commands that read from addresses have in common. `option` names the option that an address was given by.

export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/** An address of a file or folder. Throws a `Failure` for one that cannot be logged as it is. */
export function parseAddress(option: string, text: string): URL {
  const url = URL.parse(text)
  if (url === null) throw new Failure(`${option}: this is not an address; write https://flags.example/shop/`)
  if (url.username !== "" || url.password !== "")
    throw new Failure(
      `${option}: an address is logged; put what the server asks for into FLAGSTONE_SNAPSHOTS_AUTHORIZATION`,
    )
  if (url.search !== "" || url.hash !== "")
    throw new Failure(`${option}: write the address without what follows \`?\` or \`#\``)
  return url
}

/** The name of an address's folder in `--cache-dir`; no two addresses share one. */
export function cacheFolderOf({ href }: URL): string {
  return hash("sha256", href, "hex").slice(0, 16)
}

/**
 * What to send as `Authorization` to the one server of these addresses; `undefined`: nothing. Throws a `Failure` if it
 * would go to several servers.
 */
export function readAuthorization({ env }: Pick<Host, "env">, addresses: readonly URL[]): string | undefined {
  const text = env.FLAGSTONE_SNAPSHOTS_AUTHORIZATION
  if (text === undefined || text === "") return undefined
  if (new Set(addresses.map(({ origin }) => origin)).size > 1)
    throw new Failure(
      "FLAGSTONE_SNAPSHOTS_AUTHORIZATION would go to several servers; run a proxy for each, or put them behind one",
    )
  return readHeaderValue("FLAGSTONE_SNAPSHOTS_AUTHORIZATION", text)
}
