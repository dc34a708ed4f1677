import { join } from "node:path"

/** A program that follows flags with a language's provider, as `application.ts` does. */
export interface Application {
  readonly language: string
  /** The tool that this machine lacks; `undefined`: it can be run. */
  readonly missing: string | undefined
  /** Builds it if needed, and gives the command line, to which arguments are added. */
  command(): readonly string[]
}

export const applications: readonly Application[] = [
  {
    language: "Node",
    missing: undefined,
    command: () => [process.execPath, join(import.meta.dirname, "application.ts")],
  },
]
