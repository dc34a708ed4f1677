import { parseApiKey } from "../../proxy/contract/api-key.ts"
import { privateKeyPattern, secretPattern } from "../../proxy/contract/secret-form.ts"
import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { variablePattern } from "../diagnostics/mask-secrets.ts"

/** A form of our secrets. */
interface Form {
  readonly pattern: RegExp
  /** What has this form, and what to do about it besides deleting it. */
  readonly advice: string
  /** Whether a text of this form is a secret; `before` is the end of what precedes it. */
  readonly isSecret: (text: string, before: string) => boolean
}

const forms: readonly Form[] = [
  {
    pattern: new RegExp(secretPattern, "g"),
    advice:
      "an API key. Revoke it (`flagstone keys verify` says which one it is), give its clients a new one",
    isSecret: (text) => parseApiKey(text) !== undefined,
  },
  {
    pattern: new RegExp(privateKeyPattern, "g"),
    advice: "a private signing key. Make a new pair with `flagstone keys signing`",
    isSecret: (_, before) => !/-----\r?\n\s*$/.test(before), // in PEM it belongs to a different program
  },
  {
    pattern: new RegExp(variablePattern, "g"),
    advice: "a secret. Make a new one",
    isSecret: () => true,
  },
]

/** Reports each of our secrets in these files. */
export function reportSecrets(sources: readonly SourceFile[], report: Report): void {
  for (const source of sources)
    for (const { pattern, advice, isSecret } of forms)
      for (const { 0: text, index: start } of source.text.matchAll(pattern)) {
        if (!isSecret(text, source.text.slice(Math.max(0, start - 40), start))) continue
        report.add({
          code: "secret-in-git",
          message: `This is ${advice}, and delete it here: deleting alone does not help, because any commit that has it keeps it.`,
          source,
          span: { start, end: start + text.length },
        })
      }
}
