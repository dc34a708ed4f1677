import type { Report } from "../../diagnostics/diagnostic.ts"
import type { Definition, Outline } from "../definition/definition.ts"
import type { Project } from "../definition/project.ts"

/** A check of each definition by itself. It reports every mistake and changes nothing. */
export type Check = (definitions: readonly Definition[], project: Project, report: Report) => void

/**
 * A check of definitions against each other. It looks at outlines only, because a definition that was found without
 * mistakes before is not read again (`memory.ts`).
 */
export type ProjectCheck = (outlines: readonly Outline[], project: Project, report: Report) => void
