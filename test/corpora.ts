import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { gunzipSync } from "node:zlib"

const folder = resolve(import.meta.dirname, "../../shared/corpora")

/** Real flags with their real history; they lie beside the project, not in it. */
export const hasCorpora = existsSync(join(folder, "SOURCE.md"))
if (!hasCorpora) console.warn(`SKIPPED: tests on real flags, because ${folder} is not there`)

/** A repository with the history of a corpus, checked out. */
export function checkOutCorpus(name: "vets" | "android" | "brave"): string {
  const repository = mkdtempSync(join(tmpdir(), `flagstone-${name}-`))
  const git = (args: readonly string[], input?: Buffer) =>
    execFileSync("git", args, { cwd: repository, input })
  git(["init", "-q", "-b", "main"])
  git(["fast-import", "--quiet"], gunzipSync(readFileSync(join(folder, `${name}.fi.gz`))))
  git(["checkout", "-q", "-f", "main"])
  return repository
}
