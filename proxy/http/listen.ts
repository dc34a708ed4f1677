import type { Server } from "node:http"
import type { AddressInfo } from "node:net"

/**
 * Resolves with the port that `server` listens on; rejects with an error that says what to fix, in which `options`
 * begins the names of the two options. Port 0 takes any free one.
 */
export function listen(server: Server, host: string, port: number, options = "--"): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const fault = listenFaults.get(cause.code) ?? `cannot listen there (${cause.code})`
      const reason = fault.replace("--", options)
      reject(new Error(`port ${port} on ${host}: ${reason}`, { cause }))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

const listenFaults = new Map<string | undefined, string>([
  ["EADDRINUSE", "in use; choose a different --port"],
  ["EACCES", "not allowed; ports below 1024 need privileges"],
  ["EADDRNOTAVAIL", "this machine has no such IP address; choose a different --host"],
  ["ENOTFOUND", "there is no such host; choose a different --host"],
])
