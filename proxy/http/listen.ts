import type { Server } from "node:http"
import type { AddressInfo } from "node:net"

/** Resolves with the port that `server` listens on; throws an error that says what to fix. Port 0 is any free one. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const trouble = listenTroubles.get(cause.code) ?? `it cannot be listened on (${cause.code})`
      reject(new Error(`port ${port} on ${host}: ${trouble}`, { cause }))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

const listenTroubles = new Map<string | undefined, string>([
  ["EADDRINUSE", "another program listens there; choose another --port"],
  ["EACCES", "not allowed; ports below 1024 need privileges"],
  ["EADDRNOTAVAIL", "this machine has no such address; choose another --host"],
  ["ENOTFOUND", "there is no such host; choose another --host"],
])
