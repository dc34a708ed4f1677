import type { FlagEntry, Rule } from "../../../sdk/contract/snapshot.ts"

/** A boolean flag that is on, with rules, as a snapshot has it. */
export function entryOf(key: string, rules: readonly Rule[]): FlagEntry {
  const times = { createdAt: "", updatedAt: "" }
  return {
    flag: {
      id: key,
      projectId: "p",
      key,
      name: key,
      description: "",
      type: "boolean",
      defaultValue: false,
      ...times,
    },
    environment: { id: "c", flagId: key, environmentId: "e", enabled: true, rules, updatedAt: "" },
  }
}
