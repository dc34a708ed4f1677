import type { Registry } from "prom-client"
import type { ProxyState } from "../proxy-state.ts"
import type { Clock } from "../reload/reloader.ts"
import type { LoadedEnvironment, LoadedProject } from "../snapshots/loaded-project.ts"
import { createGauge, type SetValue } from "./gauge.ts"

interface SnapshotMetricsParts {
  readonly state: ProxyState
  readonly clock: Clock
}

/** The metrics of what is served. */
export function createSnapshotMetrics(registers: Registry[], parts: SnapshotMetricsParts): void {
  createPublicationMetrics(registers, parts)
  const { state, clock } = parts
  const labelNames = ["project", "environment"]
  const eachEnvironment = (
    set: SetValue,
    value: (environment: LoadedEnvironment) => number,
    labels: (environment: LoadedEnvironment) => Record<string, string> = () => ({}),
  ): void => {
    for (const { name: project, environments } of state.generation.projects)
      for (const [environment, served] of environments)
        set({ project, environment, ...labels(served) }, value(served))
  }
  createGauge(
    registers,
    "flagstone_snapshot_info",
    "1 for each environment that is served, with the commit it comes from.",
    [...labelNames, "revision"],
    (set) =>
      eachEnvironment(
        set,
        () => 1,
        ({ revision }) => ({ revision: revision ?? "none" }),
      ),
  )
  createGauge(
    registers,
    "flagstone_snapshot_age_seconds",
    "Seconds for which the document has been served.",
    labelNames,
    (set) => eachEnvironment(set, ({ loadedAt }) => (clock.monotonicNow() - loadedAt) / 1000),
  )
  createGauge(
    registers,
    "flagstone_snapshot_flags",
    "Flags in an environment's document.",
    labelNames,
    (set) => eachEnvironment(set, ({ snapshot }) => snapshot.size),
  )
  createGauge(
    registers,
    "flagstone_snapshot_refused",
    "1 if the newest document of an environment is bad and an older one, or none, is served.",
    labelNames,
    (set) => {
      for (const { name: project, faults } of state.generation.projects)
        for (const environment of faults.keys()) set({ project, environment }, 1)
    },
  )
}

/** When what is served was committed and published, as its manifest says. */
function createPublicationMetrics(registers: Registry[], { state }: SnapshotMetricsParts): void {
  type Manifest = LoadedProject["manifest"]
  const eachProject = (name: string, help: string, value: (manifest: Manifest) => number | undefined): void =>
    createGauge(registers, name, help, ["project"], (set) => {
      for (const { name: project, manifest } of state.generation.projects) {
        const found = value(manifest)
        if (found !== undefined) set({ project }, found)
      }
    })
  const secondsOf = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time) / 1000)
  const published = "When what is served was published."
  eachProject("flagstone_publication_timestamp_seconds", published, (manifest) =>
    secondsOf(manifest.publishedAt),
  )
  const committed = "When the commit that is served was made."
  eachProject("flagstone_commit_timestamp_seconds", committed, (manifest) => secondsOf(manifest.committedAt))
  const rolledBack = "1 while a rollback is served: the target is held, or nothing has been published since."
  eachProject("flagstone_rolled_back", rolledBack, ({ rollback }) => (rollback ? 1 : 0))
}
