import type { Configuration } from "../../../proxy/contract/snapshot.ts"

/** What a configuration says, whichever flag it is of. */
export type Content = Pick<Configuration, "enabled" | "rules">

/**
 * The part of a configuration's JSON that says its content; before it are ids. A text in JSON has no quote without a
 * backslash, so what is found is the member itself.
 */
export function contentText(configuration: string): string {
  return configuration.slice(configuration.indexOf(',"enabled":'))
}

export function readContent(text: string): Content {
  return JSON.parse(`{${text.slice(1)}`)
}

/** The id of a configuration. */
export function idOf(configuration: string): string {
  const text = configuration.slice('{"id":'.length, configuration.indexOf(',"flagId":'))
  return text.includes("\\") ? JSON.parse(text) : text.slice(1, -1)
}

/** The part of a flag's JSON that says its type and its default value, found in the same way. */
export function valueText(flag: string): string {
  return flag.slice(flag.indexOf(',"type":'))
}
