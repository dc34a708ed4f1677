import type { Host } from "../host.ts"

/** One line on a terminal that says how far it is, and is gone at the end; elsewhere, and in CI, nothing. */
export interface Progress {
  /** One more of them is done. */
  step(): void
  end(): void
}

export function createProgress(
  total: number,
  { isTerminal, env, stderr }: Pick<Host, "isTerminal" | "env" | "stderr">,
): Progress {
  const isShown = isTerminal.stderr && !env.CI
  let done = 0
  return {
    step() {
      done++
      if (isShown) stderr.write(`\r${done} of ${total} files sent\x1b[K`)
    },
    end() {
      if (isShown) stderr.write("\r\x1b[K")
    },
  }
}
