import type { CompiledRules } from "../../sdk/evaluation/compile-flag.ts"
import type { Work } from "./work.ts"

/** A compiled flag, with everything else that its answers need. */
export interface PreparedFlag {
  readonly compiled: CompiledRules
  readonly isStatic: boolean
  readonly isFloat: boolean
  /** Differs if the flag may give a different answer. */
  readonly digest: string
  readonly work: Work
  /** The work of the comparison that takes longest. */
  readonly longest: Work
}
