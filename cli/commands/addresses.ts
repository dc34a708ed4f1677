import { hash } from "node:crypto"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { readHeaderValue } from "../publish/header-value.ts"

// Shared by the commands that read from addresses. `option` is the option that gave the address.

export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/** Parses the address of a file or folder. Throws a `Failure` for one that could hold a secret: addresses are logged. */
export function parseAddress(option: string, text: string): URL {
  const url = URL.parse(text)
  if (url === null) throw new Failure(`${option}: not an address; write one like https://flags.example/shop/`)
  if (url.username !== "" || url.password !== "")
    throw new Failure(
      `${option}: addresses are logged; put credentials in FLAGSTONE_SNAPSHOTS_AUTHORIZATION instead`,
    )
  if (url.search !== "" || url.hash !== "")
    throw new Failure(`${option}: remove \`?\` or \`#\` and everything after it from the address`)
  return url
}

/** The name of an address's folder in `--cache-dir`; no two addresses share one. */
export function cacheFolderOf({ href }: URL): string {
  return hash("sha256", href, "hex").slice(0, 16)
}

/**
 * The `Authorization` header for the server of these addresses; `undefined`: none. Throws a `Failure` if it would go to
 * several servers.
 */
export function readAuthorization({ env }: Pick<Host, "env">, addresses: readonly URL[]): string | undefined {
  const text = env.FLAGSTONE_SNAPSHOTS_AUTHORIZATION
  if (text === undefined || text === "") return undefined
  if (new Set(addresses.map(({ origin }) => origin)).size > 1)
    throw new Failure(
      "FLAGSTONE_SNAPSHOTS_AUTHORIZATION would be sent to several servers; run a proxy for each, or put them behind one",
    )
  return readHeaderValue("FLAGSTONE_SNAPSHOTS_AUTHORIZATION", text)
}
