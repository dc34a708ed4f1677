import type { KnownSegments } from "../../flag/resolve-segments.ts"
import type { Flag, Invariant } from "../../language/flag.ts"
import type { Project } from "../../reading/project.ts"

/** The flags of one revision. Those that mean the same on both sides may be left out. */
export interface Side {
  /** `undefined`: there is no project, so nothing is defined. */
  readonly project: Project | undefined
  readonly flags: readonly Flag[]
  /** Absent if there are none, or if the caller does not need them. */
  readonly segments?: KnownSegments
  /** Absent as for segments. */
  readonly invariants?: readonly Invariant[]
}

/** The names of a side's environments, in the order of its project. */
export function environmentNames({ project }: Side): readonly string[] {
  return project?.environments.map(({ name }) => name) ?? []
}
