import { type Event, parseEvents, YAMLException } from "js-yaml"

/** A YAML parser's events in text order, or where and why it stopped. */
export type Events =
  | { readonly kind: "events"; readonly events: readonly Event[] }
  | { readonly kind: "too-deep"; readonly offset: number }
  | { readonly kind: "refused"; readonly reason: string; readonly offset: number }

/** More than any flag needs, and less than would exhaust the stack. */
const maxNesting = 200

/** The events of a text, with aliases, tags and types unresolved. */
export function readEvents(text: string): Events {
  try {
    return { kind: "events", events: parseEvents(text, { maxDepth: maxNesting }) }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const offset = error.mark?.position ?? 0
    return error.reason.startsWith("nesting exceeded")
      ? { kind: "too-deep", offset }
      : { kind: "refused", reason: error.reason, offset }
  }
}
