import type { Report } from "../../diagnostics/diagnostic.ts"
import type { Definition, Outline } from "../definition/definition.ts"
import type { Project } from "../definition/project.ts"

/** A law that each definition keeps by itself: it looks at no other. It reports every breach and changes nothing. */
export type Law = (definitions: readonly Definition[], project: Project, report: Report) => void

/**
 * A law that definitions keep among each other. It looks at outlines only, because a definition that was found without
 * mistakes before is not read again (`memory.ts`).
 */
export type CommonLaw = (outlines: readonly Outline[], project: Project, report: Report) => void
