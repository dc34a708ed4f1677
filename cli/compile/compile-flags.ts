import type { Report } from "../diagnostics/diagnostic.ts"
import type { MemoryFolder } from "./cache/cache-folder.ts"
import { identityOf, openMemory } from "./cache/flag-cache.ts"
import { createFileCheck } from "./checks/check.ts"
import { projectChecks } from "./checks/checks.ts"
import type { Definition } from "./definition/definition.ts"
import type { Project } from "./definition/project.ts"
import type { FlagFile } from "./definition/read.ts"
import { type CompiledFlag, writeFlag } from "./meaning/compiled-flag.ts"
import { resolveFlag } from "./meaning/resolve.ts"

/** Is told, now and then, how many of all flag files have been compiled. */
export type OnProgress = (done: number, all: number) => void

/**
 * Checks and resolves every flag file, one after the other, so that no more than one tree is held. What was compiled
 * without mistakes before is remembered.
 */
export async function compileFlags(
  files: readonly FlagFile[],
  project: Project,
  folder: MemoryFolder,
  report: Report,
  onProgress?: OnProgress,
): Promise<readonly CompiledFlag[]> {
  const memory = openMemory(folder)
  const checkFile = createFileCheck(project)
  const flags: CompiledFlag[] = []
  for (const [done, { source, blob }] of files.entries()) {
    if (done % stride === 0) {
      onProgress?.(done, files.length)
      await new Promise(setImmediate) // lets git's answer in, which is under way meanwhile
    }
    const identity = identityOf(blob, source.path)
    const known = memory.flag(identity)
    if (known !== undefined) {
      flags.push({ source, blob, ...known })
      continue
    }
    const mistakes = report.diagnostics.length
    for (const definition of checkFile(source, report)) {
      const written = writeFlag(resolveFlag(definition, project))
      const flag = { source, blob, outline: outlineOf(definition), ...written }
      flags.push(flag)
      if (report.diagnostics.length === mistakes) memory.learnFlag(identity, flag)
    }
  }
  const outlines = flags.map(({ source, outline }) => ({ source, ...outline }))
  for (const check of projectChecks) check(outlines, project, report)
  if (!report.hasErrors) memory.keep()
  return flags
}

const stride = 250

/** All that the common rules look at, with nothing left of the tree. */
function outlineOf({ key, keySpan, id, configurations }: Definition): CompiledFlag["outline"] {
  return {
    key,
    keySpan,
    id,
    configurations: configurations.map(({ environment, id }) => ({ environment, id })),
  }
}
