import type { Readable, Writable } from "node:stream"
import type { Git } from "./git.ts"

/** The outside world as one plain object: all that a command knows beyond its options comes from here. */
export interface Host {
  /** Absolute path of the current folder; relative options are resolved against it. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** Which of them are terminals, for colour, progress and questions. */
  readonly isTerminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean }
  /** This process's id. */
  readonly pid: number
  /** Whether a process with an id runs on this machine. */
  readonly isRunning: (pid: number) => boolean
  /** Wall clock, milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds from an arbitrary start; never goes backwards. */
  readonly monotonicNow: () => number
  /** A random number in [0, 1), not for secrets. */
  readonly random: () => number
  /** Bytes from the system's secure random source. */
  readonly randomBytes: (size: number) => Uint8Array
  readonly git: Git
  /** Calls `listener` on SIGINT, SIGTERM or SIGHUP; the returned function stops that. */
  readonly onSignal: (signal: "SIGINT" | "SIGTERM" | "SIGHUP", listener: () => void) => () => void
  /**
   * Ends the process within this many milliseconds, even if work is under way; unwritten output is lost. If a file
   * system hangs, the process is killed and has no exit status.
   */
  readonly exitWithin: (milliseconds: number) => void
}

/** 0: nothing to report. 1: there are errors or differences. 2: it could not be done. */
export type ExitStatus = 0 | 1 | 2

/** Takes the exit status that a command's run function promises. */
export type Exit = (result: Promise<ExitStatus>) => Promise<void>
