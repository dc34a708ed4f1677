import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { gunzipSync } from "node:zlib"

const folder = resolve(import.meta.dirname, "../../shared/corpora")

/** Real flags with their real history; they are beside the project, not in it. */
export const hasCorpora = existsSync(join(folder, "SOURCE.md"))
if (!hasCorpora) console.warn(`SKIPPED: tests on real flags, because ${folder} is not there`)

type Corpus = "vets" | "android" | "brave"

/** A repository with the history of a corpus, checked out, only for this caller. */
export function checkOutCorpus(name: Corpus): string {
  const repository = mkdtempSync(join(tmpdir(), `flagstone-${name}-`))
  execFileSync("git", ["clone", "-q", importCorpus(name), repository])
  return repository
}

/**
 * The history of a corpus without a work tree, which takes seconds: once for all processes that share a temporary
 * folder. If two start at the same time, one discards its own.
 */
function importCorpus(name: Corpus): string {
  const shared = join(tmpdir(), `flagstone-history-of-${name}`)
  if (existsSync(shared)) return shared
  const made = mkdtempSync(`${shared}-`)
  const git = (args: readonly string[], input?: Buffer) => execFileSync("git", args, { cwd: made, input })
  git(["init", "-q", "--bare", "-b", "main"])
  git(["fast-import", "--quiet"], gunzipSync(readFileSync(join(folder, `${name}.fi.gz`))))
  try {
    renameSync(made, shared)
  } catch (error) {
    if (!existsSync(shared)) throw error
    rmSync(made, { recursive: true })
  }
  return shared
}
