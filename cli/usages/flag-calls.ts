/** Whether a key is one plain word, such as `ranking`, which code may quote for other reasons. */
export function isCommonWord(key: string): boolean {
  return /^[a-z]+$/.test(key)
}

/** Whether code has a call that looks like one for a flag, by the last name of what it calls. */
export function callsFlags(text: string): boolean {
  return calls.test(text)
}

/** Words of names that are about flags, and the names that SDKs have for their calls, in any case style. */
const about = "\\w*(?:flag|feature|toggle|variation|variant|treatment|experiment)\\w*"
const asked = "is_?(?:on|enabled)|enabled|(?:is_?)?feature_?enabled"
const type = "bool(?:ean)?|string|number|int(?:eger)?|int32|int64|long|float|double|object|struct|json"
const typed = `(?:get|fetch|use|resolve)_?(?:${type})(?:_?(?:value|details|evaluation))*(?:_?async)?|(?:${type})_?(?:value|details)(?:_?(?:details|async))*`

/** A name up to its bracket, with the types in `<…>` and Rust's, Ruby's and Swift's marks. */
const calls = new RegExp(`(?<![\\w$])(?:${about}|${asked}|${typed})[?!]?(?:<[^<>()\\n]{1,80}>)?\\(`, "i")
