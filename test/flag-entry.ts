import type { Configuration, FlagEntry, Json } from "../sdk/contract/snapshot.ts"

const time = "2026-11-21T10:00:00.000Z"

/** The same entry in another environment. */
export function inEnvironment({ flag, environment }: FlagEntry, environmentId: string): FlagEntry {
  return { flag, environment: environment && { ...environment, environmentId } }
}

/** A flag's entry as `flagstone build` would write it. */
export function flagEntry(key: string, rules = 0, defaultValue: Json = false, description = ""): FlagEntry {
  const environment: Configuration = {
    id: `shop/${key}@production`,
    flagId: `shop/${key}`,
    environmentId: "production",
    enabled: true,
    rules: Array.from({ length: rules }, (_, index) => ({
      id: `5f1d00${index}`,
      attribute: "email",
      operator: "contains",
      value: `@example-${index}.com`,
      returnValue: true,
    })),
    updatedAt: time,
  }
  const name = `The “${key}” flag`
  return {
    flag: {
      id: `shop/${key}`,
      projectId: "shop",
      key,
      name,
      description,
      type: "boolean",
      defaultValue,
      createdAt: time,
      updatedAt: time,
    },
    environment: rules > 0 ? environment : null,
  }
}
