import type { ServerResponse } from "node:http"
import type { Answer } from "./h3-app.ts"

/**
 * Writes head and body with a single `end`, so that they leave in one packet if they fit. A small body is written as
 * text with one character per byte: Node then writes it together with the headers, which takes 5 % less CPU at 2 KB.
 */
export function sendAnswer(
  res: ServerResponse,
  { status, statusText, rawHeaders, rawBody, stream }: Answer,
): void {
  res.writeHead(status, statusText, rawHeaders as string[]) // Node only reads
  if (stream !== undefined) stream(res)
  else if (rawBody === null) res.end()
  else if (typeof rawBody === "string") res.end(rawBody)
  else if (rawBody.length > longestText) res.end(rawBody)
  else res.end(rawBody.toString("latin1"), "latin1")
}

/** In bytes; beyond this, a copy costs as much as a second write. */
const longestText = 4 * 1024
