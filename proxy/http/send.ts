import type { ServerResponse } from "node:http"
import { type NodeResponse, sendNodeResponse } from "srvx/node"

/**
 * Sends an answer, or throws or rejects if it cannot be sent. A body that is at hand goes in one call, which srvx would write and end in two, with a callback that
 * no one waits for: an eighth of the CPU time of an evaluation. Streams, which `respond` makes native, are srvx's work.
 */
export function send(res: ServerResponse, response: Response | NodeResponse): Promise<void> | undefined {
  if (!("_toNodeResponse" in response)) return sendNodeResponse(res, response)
  const { status, statusText, headers, body } = response._toNodeResponse()
  res.writeHead(status, statusText, headers).end(body)
  return undefined
}
