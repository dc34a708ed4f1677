import type { Report } from "../../diagnostics/diagnostic.ts"
import type { Definition } from "../definition.ts"
import type { Project } from "../project.ts"

/** A law that definitions must keep: it looks at all of them and reports every breach. It changes nothing. */
export type Law = (definitions: readonly Definition[], project: Project, report: Report) => void
