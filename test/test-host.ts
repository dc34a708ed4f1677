import { randomBytes } from "node:crypto"
import { Readable, Writable } from "node:stream"
import { createGit, type Git } from "../cli/git.ts"
import type { Host } from "../cli/host.ts"
import { recordSaid, recordShown } from "./secrets/record.ts"

/** A `Host` that remembers what was written to it and on which a test can raise signals. */
export interface TestHost extends Host {
  /** Everything written to stdout so far. */
  readonly out: () => string
  /** Everything written to stderr so far. */
  readonly err: () => string
  /** Calls the listeners of a signal. */
  readonly signal: (name: Signal) => void
}

type Signal = Parameters<Host["onSignal"]>[0]

/** What a test may set; `stdin` is a string or bytes. */
export interface TestHostOptions extends Partial<Omit<Host, "stdin" | "stdout" | "stderr">> {
  readonly stdin?: string | Uint8Array
  /** Whether stdout is for a command that shows a secret on it; see `showsSecrets`. */
  readonly showsSecrets?: boolean
}

/** The time at which a test host stands still unless the test says otherwise. */
export const testNow = Date.UTC(2026, 10, 21, 10)

/**
 * A host for tests: empty environment, no terminal, a wall clock that stands still at `testNow`, real randomness,
 * a real monotonic clock and the real git of the machine. Its output must not contain a secret.
 */
export function testHost({ stdin = "", showsSecrets = false, ...given }: TestHostOptions = {}): TestHost {
  const name = `of command ${++hosts}`
  const stdout = collect((text) => (showsSecrets ? recordShown(text) : recordSaid(`stdout ${name}`, text)))
  const stderr = collect((text) => recordSaid(`stderr ${name}`, text))
  const listeners = new Map<Signal, Set<() => void>>()
  return {
    cwd: "/",
    env: {},
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    isTerminal: { stdin: false, stdout: false, stderr: false },
    pid: process.pid,
    isRunning: runs,
    now: () => testNow,
    monotonicNow: () => performance.now(),
    random: () => 0.5,
    randomBytes,
    git: createGit(process.env),
    onSignal(name, listener) {
      const added = listeners.get(name) ?? new Set()
      listeners.set(name, added.add(listener))
      return () => added.delete(listener)
    },
    exitWithin: () => undefined,
    ...given,
    out: stdout.text,
    err: stderr.text,
    signal(name) {
      for (const listener of listeners.get(name) ?? []) listener()
    },
  }
}

/** git's answer in a folder without a repository, for tests that need not ask it. */
export const outsideGit: Git = async () => ({
  status: 128,
  stdout: Buffer.alloc(0),
  stderr: "fatal: not a git repository\n",
})

let hosts = 0

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function collect(note: (text: string) => void): { readonly stream: Writable; readonly text: () => string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      note(chunk.toString())
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString("utf8") }
}
