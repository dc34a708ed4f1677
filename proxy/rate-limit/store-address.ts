/** A store's address and credentials. */
export interface StoreAddress {
  readonly socket:
    | { readonly host: string; readonly port: number; readonly tls: boolean }
    | { readonly path: string }
  /** `undefined`: the store's default user. */
  readonly username: string | undefined
  readonly password: string | undefined
  readonly database: number
  /** The address without user and password, for logs. */
  readonly shown: string
}

/**
 * Reads `redis://host:6379/0`, `rediss://…` (TLS) or `unix:///run/redis.sock?db=0`, each with `user:password@` before
 * the host or the path; `undefined`: it is none of these. The text may hold a password, so no message repeats it.
 */
export function parseStoreAddress(text: string): StoreAddress | undefined {
  const url = URL.parse(text.replace(/^unix:\/\/([^/]*@)?(?=\/)/, "unix://$1localhost")) // a URL has no user without a host
  if (url === null || url.hash !== "") return undefined
  const { protocol, hostname, pathname, search } = url
  const host = hostname.replace(/^\[(.*)\]$/, "$1") // only URLs have IPv6 addresses in brackets
  const port = Number(url.port || 6379)
  const isPath = protocol === "unix:" && url.host === "localhost" && pathname !== "/"
  const isHost = /^rediss?:$/.test(protocol) && hostname !== "" && port !== 0 && search === ""

  const number = isPath ? /^(?:\?db=(\d{1,5}))?$/.exec(search) : /^\/?(\d{1,5})?$/.exec(pathname)
  if (number === null || !(isPath || isHost)) return undefined
  const database = Number(number[1] ?? 0)
  const place = isPath ? `unix://${pathname}` : `${protocol}//${hostname}:${port}`
  try {
    return {
      socket: isPath ? { path: decodeURIComponent(pathname) } : { host, port, tls: protocol === "rediss:" },
      username: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
      database,
      shown: database === 0 ? place : place + (isPath ? "?db=" : "/") + database,
    }
  } catch {
    return undefined // a percent sign that encodes nothing
  }
}
