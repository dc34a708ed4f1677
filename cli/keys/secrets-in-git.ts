import { realpathSync } from "node:fs"
import { join } from "node:path"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import { privateKeyPattern, secretPattern } from "../../proxy/contract/secret-form.ts"
import type { Report, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import { variablePattern } from "../diagnostics/mask-secrets.ts"
import { topOfRepository } from "../files/top-of-repository.ts"
import { type Git, GitMissing } from "../git.ts"
import { readCode } from "../usages/code-files.ts"

/** A form of our secrets. */
interface Form {
  /** For `git grep -E` and for `RegExp`. */
  readonly pattern: string
  /** What has this form, and what to do about it besides deleting it. */
  readonly advice: string
  /** Whether a text of this form is a secret; `before` is the end of what precedes it. */
  readonly isSecret: (text: string, before: string) => boolean
}

const forms: readonly Form[] = [
  {
    pattern: secretPattern,
    advice: "API key. Revoke it (`flagstone keys verify` says which one it is), give its clients a new one",
    isSecret: (text) => parseApiKey(text) !== undefined,
  },
  {
    pattern: privateKeyPattern,
    advice: "private signing key. Make a new pair with `flagstone keys signing`",
    isSecret: (_, before) => !/-----\r?\n$/.test(before), // in PEM it belongs to a different program
  },
  {
    pattern: variablePattern,
    advice: "secret. Make a new one",
    isSecret: () => true,
  },
]

/**
 * Reports each of our secrets in the files that git tracks in the repository of `folder`, as they are in the work tree.
 * Reports nothing where git is not installed, finds no repository or refuses it. A submodule is a different repository.
 */
export async function reportSecretsInGit(folder: string, git: Git, report: Report): Promise<void> {
  for (const path of await filesWithSecrets(folder, git)) {
    const source = readCode(path)
    if (source !== undefined && source !== "too-large") reportSecrets(source, report)
  }
}

/** Lists the files that may have secrets, in one pass of git over all files that it tracks. */
async function filesWithSecrets(folder: string, git: Git): Promise<readonly string[]> {
  const top = topOfRepository(realpathSync(folder))
  if (top === undefined) return []
  try {
    const patterns = forms.flatMap(({ pattern }) => ["-e", pattern])
    const grep = ["grep", "-zIlE", "--no-recurse-submodules", ...patterns]
    const { stdout } = await git(grep, { cwd: top })
    const names = stdout.toString("utf8").split("\0")
    return names.filter((name) => name !== "").map((name) => join(top, name))
  } catch (error) {
    if (error instanceof GitMissing) return []
    throw error
  }
}

function reportSecrets(source: SourceFile, report: Report): void {
  for (const { advice, start, end } of findSecrets(source.text))
    report.add({
      code: "secret-in-git",
      message: `git tracks this ${advice}, and delete it here: deleting alone does not help, because any commit that has it keeps it.`,
      source,
      span: { start, end },
    })
}

function findSecrets(text: string): readonly (Form & Span)[] {
  return forms
    .flatMap((form) => [...text.matchAll(new RegExp(form.pattern, "g"))].map((match) => ({ form, match })))
    .filter(({ form, match }) =>
      form.isSecret(match[0], text.slice(Math.max(0, match.index - 8), match.index)),
    )
    .map(({ form, match }) => ({ ...form, start: match.index, end: match.index + match[0].length }))
}
