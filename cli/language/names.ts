import { environmentNamePattern } from "../../proxy/contract/environment-name.ts"

/** A flag key: real projects use dots, slashes, capitals and leading digits. */
export const flagKeyPattern = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$/

/** The name of a project. It is part of ids, as an environment's name is. */
export const projectNamePattern = environmentNamePattern

/** The name of an operator that a project adds. */
export const operatorPattern = /^[A-Za-z][A-Za-z0-9]{0,63}$/

/** How long a flag is unchanged before it is stale. */
export const staleAfterPattern = /^(?:\d{1,4}d|never)$/

/** The name of a segment. */
export const segmentNamePattern = environmentNamePattern

/** The patterns in words, as the end of "… must be". */
export const patternWords: ReadonlyMap<string, string> = new Map([
  [flagKeyPattern.source, "1 to 200 letters, digits, `.`, `_`, `/` or `-`, starting with a letter or digit"],
  [
    environmentNamePattern.source,
    "1 to 64 letters, digits, `.`, `_` and `-`, starting with a letter or digit",
  ],
  [staleAfterPattern.source, "a number of days, such as `30d`, or `never`"],
  [operatorPattern.source, "1 to 64 letters and digits, starting with a letter"],
])
