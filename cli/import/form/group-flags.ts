import type { Found, ImportedFlag } from "./form.ts"

const aboutNothing = { name: undefined, description: undefined, tags: [], owner: undefined, variations: [] }

/** The flags, each with its configurations. */
export function groupFlags(found: readonly Found[]): readonly ImportedFlag[] {
  return [...Map.groupBy(found, ({ key }) => key)].map(([key, own]) => ({
    ...{ key, ...aboutNothing, ...own[0]?.about() },
    configurations: own.map(({ configuration }) => configuration),
  }))
}
