import type { Report } from "../diagnostics/diagnostic.ts"
import type { Flag, Segment } from "../language/flag.ts"
import type { Project } from "../reading/project.ts"
import type { IsSound } from "./sound-rules.ts"

/** A check of one flag by itself. It reports every mistake and changes nothing. */
export type Check = (flag: Flag, project: Project, report: Report) => void

/** A check of the rules of a flag together. What has mistakes is not sound, and nothing follows from it. */
export type RuleCheck = (flag: Flag, isSound: IsSound, project: Project, report: Report) => void

/** A check of what SDKs get for the conditions in a flag file or a segment file. */
export type SentConditionCheck = (file: Flag | Segment, project: Project, report: Report) => void

/** A check of the project's segments against each other. */
export type SegmentsCheck = (segments: readonly Segment[], report: Report) => void

/** A check of the project's flags against each other. */
export type ProjectCheck = (flags: readonly Flag[], project: Project, report: Report) => void
