import type {
  FlagEntry,
  Configuration as SentConfiguration,
  Flag as SentFlag,
} from "../../sdk/contract/snapshot.ts"
import type { Configuration, Flag } from "../language/flag.ts"

/** A flag as SDKs get it, without its times. */
export type TimelessFlag = Omit<SentFlag, "createdAt" | "updatedAt">

/** A configuration as SDKs get it, without its time. */
export type TimelessConfiguration = Omit<SentConfiguration, "updatedAt">

/** A flag's own members as SDKs get them. */
export function sentFlag({ id, projectId, key, name, description, type, defaultValue }: Flag): TimelessFlag {
  return { id, projectId, key, name, description, type: type ?? "boolean", defaultValue }
}

/** A configuration as SDKs get it. */
export function sentConfiguration(configuration: Configuration): TimelessConfiguration {
  const { id, flagId, environmentId, enabled, rules } = configuration
  return { id, flagId, environmentId, enabled, rules: rules.map(({ sent }) => sent) }
}

/** A flag as in an environment's snapshot, without the times, which do not affect evaluation. */
export function timelessEntry(flag: Flag, environment: string): FlagEntry {
  const configuration = flag.configurations.get(environment)
  return {
    flag: { ...sentFlag(flag), createdAt: "", updatedAt: "" },
    environment: configuration === undefined ? null : { ...sentConfiguration(configuration), updatedAt: "" },
  }
}
