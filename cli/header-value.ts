import { Failure } from "./failure.ts"

/**
 * A secret of a variable that goes into an HTTP header. Throws `Failure` where it cannot, without the secret: the
 * platform's own error would repeat it.
 */
export function readHeaderValue(variable: string, text: string): string {
  if (/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(text)) return text
  throw new Failure(`${variable} cannot be sent in a header; write it on one line, without spaces around it`)
}
