import type { Difference } from "../differences/difference.ts"
import type { Classification } from "./classification.ts"

/** A difference and what it does. */
export type Change = Difference &
  Classification & {
    /** Absolute path of the flag's file or the project file: the one after the change, if there is one. */
    readonly file: string
    /** The flag's owner; `undefined` where none is written, and for the project file. */
    readonly owner: string | undefined
  }

/** An environment of either side; protected if either side protects it. */
export interface DiffEnvironment {
  readonly name: string
  readonly protected: boolean
}

/** Whether the diff covers an environment. */
export type Scope = (environment: string) => boolean
