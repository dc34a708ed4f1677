/** Where a store is, and what it asks for. */
export interface StoreAddress {
  readonly socket:
    | { readonly host: string; readonly port: number; readonly tls: true }
    | { readonly host: string; readonly port: number; readonly tls: false }
    | { readonly path: string }
  /** `undefined`: the store's default user. */
  readonly username: string | undefined
  readonly password: string | undefined
  readonly database: number
  /** The address without user and password, for logs. */
  readonly shown: string
}

/**
 * Reads `redis://host:6379/0`, `rediss://…` (TLS) or `unix:///run/redis.sock?db=0`, each with `user:password@` before the
 * host or the path; `undefined`: it is none of these. What is read may hold a password, so no message repeats it.
 */
export function parseStoreAddress(text: string): StoreAddress | undefined {
  try {
    return text.startsWith("unix:") ? parsePath(text) : parseHost(text)
  } catch {
    return undefined // a percent sign that encodes nothing
  }
}

function parseHost(text: string): StoreAddress | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "redis:" && url.protocol !== "rediss:")) return undefined
  const { protocol, hostname, port, pathname, search, hash } = url
  const database = /^\/?(\d{0,5})$/.exec(pathname)?.[1]
  if (hostname === "" || port === "0" || database === undefined || search !== "" || hash !== "")
    return undefined
  const host = hostname.replace(/^\[(.*)\]$/, "$1") // an IPv6 address stands in brackets only in a URL
  const place = { host, port: Number(port || defaultPort) }
  const shown = `${protocol}//${hostname}:${place.port}`
  return {
    socket: protocol === "rediss:" ? { ...place, tls: true } : { ...place, tls: false },
    ...readUser(url.username, url.password),
    database: Number(database),
    shown: Number(database) === 0 ? shown : `${shown}/${Number(database)}`,
  }
}

const defaultPort = 6379

/** `URL` takes no user without a host. */
function parsePath(text: string): StoreAddress | undefined {
  const [, username = "", password = "", path, database = "0"] =
    /^unix:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?(\/[^/?#][^?#]*)(?:\?db=(\d{1,5}))?$/.exec(text) ?? []
  if (path === undefined) return undefined
  return {
    socket: { path: decodeURIComponent(path) },
    ...readUser(username, password),
    database: Number(database),
    shown: Number(database) === 0 ? `unix://${path}` : `unix://${path}?db=${Number(database)}`,
  }
}

function readUser(username: string, password: string): Pick<StoreAddress, "username" | "password"> {
  return {
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
  }
}
