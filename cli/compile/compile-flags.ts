import type { CompiledFlag } from "./meaning/compiled-flag.ts"
import type { FlagFile } from "./read/flag-file.ts"

/** Called from time to time with the number of flag files compiled so far, and the total. */
export type OnProgress = (done: number, all: number) => void

/** Compiles the files one by one, so that only one tree is in memory at a time. */
export async function compileFlags(
  files: readonly FlagFile[],
  compileFlag: (file: FlagFile) => CompiledFlag | undefined,
  onProgress?: OnProgress,
): Promise<readonly CompiledFlag[]> {
  const flags: CompiledFlag[] = []
  for (const [done, file] of files.entries()) {
    if (done % stride === 0) {
      onProgress?.(done, files.length)
      await new Promise(setImmediate) // lets git's output be read
    }
    const flag = compileFlag(file)
    if (flag !== undefined) flags.push(flag)
  }
  return flags
}

const stride = 50
