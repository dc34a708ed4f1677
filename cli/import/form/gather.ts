import type { Found, Imported, ImportedSegment } from "./form.ts"
import { mergeListings } from "./merge-listings.ts"

const aboutNothing = { name: undefined, description: undefined, tags: [], owner: undefined, variations: [] }

/** What a reader finds in a document, or in all documents of one environment. */
interface Part {
  readonly found: readonly Found[]
  readonly segments: readonly ImportedSegment[]
}

/** The parts as one, each flag with its configurations. */
export function gather(parts: readonly Part[]): Pick<Imported, "flags" | "segments"> {
  const found = parts.flatMap((part) => part.found)
  const flags = [...Map.groupBy(found, ({ key }) => key)].map(([key, own]) => ({
    ...{ key, ...aboutNothing, ...own[0]?.about() },
    configurations: mergeListings(own.map(({ configuration }) => configuration)),
  }))
  return { flags, segments: parts.flatMap(({ segments }) => segments) }
}
