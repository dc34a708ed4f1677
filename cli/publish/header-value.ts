import { Failure } from "../failure.ts"

/**
 * Returns a variable's secret for an HTTP header. Throws `Failure` if it cannot be one; the message does not repeat the
 * secret, as the platform's own error would.
 */
export function readHeaderValue(variable: string, text: string): string {
  if (/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(text)) return text
  throw new Failure(`${variable} cannot be sent in a header; write it on one line, without spaces around it`)
}
