import type { Rule } from "../../language/flag.ts"
import type { Difference } from "../differences/difference.ts"
import type { Classification } from "./classification.ts"

/** A difference and its effects. */
export type Change = Difference &
  Classification & {
    /** Absolute path of the flag's file or the project file: the one after the change, if there is one. */
    readonly file: string
    /** The flag's owner; `undefined` if none is written, and for the project file. */
    readonly owner: string | undefined
    /**
     * The rule that changed, or an arm of the split that did; for a configuration, its last rule. A share that is added to a
     * split, or removed from one that stays, has both sides.
     */
    readonly written?: Written | undefined
  }

/** The rule on both sides. */
export interface Written {
  readonly before: Rule | undefined
  readonly after: Rule | undefined
}

/** An environment of either side; protected if either side protects it. */
export interface DiffEnvironment {
  readonly name: string
  readonly protected: boolean
}

/** Whether the diff covers an environment. */
export type Scope = (environment: string) => boolean
