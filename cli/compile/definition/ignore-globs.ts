import { createRequire } from "node:module"

/** Whether a file below the flags folder is none of the project's. The path is given from that folder, with `/`. */
export type Ignores = (path: string) => boolean

export const ignoresNothing: Ignores = () => false

/** Which files the globs of a project file mean: `*` stays in one folder, `**` does not, and a dot is a letter. */
export function createIgnores(globs: readonly string[]): Ignores {
  if (globs.length === 0) return ignoresNothing
  const picomatch: (globs: readonly string[], options: { readonly dot: boolean }) => Ignores = createRequire(
    import.meta.url,
  )("picomatch")
  return picomatch(globs, { dot: true })
}
