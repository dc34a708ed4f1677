import fc from "fast-check"
import { anyText } from "../any-text.ts"

/** Valid header values: bytes that are not control characters. */
export const headerValue = anyText({ maxLength: 60 }).map((text) =>
  text.replace(/[^\t\x20-\x7e\x80-\xff]/gu, ""),
)

/** A word of a request line, or the name of a header. */
export const token = fc.string({ unit: fc.constantFrom(..."abcXYZ09-_."), minLength: 1, maxLength: 20 })

/** The body of every error that the proxy may answer with. */
export const errorBody =
  /^\{"error":"(Bad request|Unauthorized|Not found|Flag not found|Method not allowed|Too many requests|Request timeout|Request header fields too large|Service unavailable)"\}$/
