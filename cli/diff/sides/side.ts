import type { DefinedInvariant } from "../../compile/definition/invariant.ts"
import type { Project } from "../../compile/definition/project.ts"
import type { ResolvedFlag } from "../../compile/flags/resolve.ts"
import type { KnownSegments } from "../../compile/references/resolve-segments.ts"

/** The flags of one revision. Those that mean the same on both sides may be left out. */
export interface Side {
  /** `undefined`: there is no project, so nothing is defined. */
  readonly project: Project | undefined
  readonly flags: readonly ResolvedFlag[]
  /** Absent if there are none, or if the caller does not need them. */
  readonly segments?: KnownSegments
  /** Absent as for segments. */
  readonly invariants?: readonly DefinedInvariant[]
}

/** The names of a side's environments, in the order of its project. */
export function environmentNames({ project }: Side): readonly string[] {
  return project?.environments.map(({ name }) => name) ?? []
}
