import { privateKeyPattern, secretPattern } from "../../proxy/contract/secret-form.ts"
import type { Diagnostic } from "./diagnostic.ts"

/** A regular expression, also for `grep -E`, of a variable of ours whose value is a secret. */
export const variablePattern = "FLAGSTONE_[A-Z_]*(PATH|EVENTS)_SECRET[\"']? *[:=] *[\"']?[0-9A-Za-z+/]{32,}"

const secrets = new RegExp([secretPattern, privateKeyPattern, variablePattern].join("|"), "g")

/** The text with a star for each character of its secrets, but not for a prefix or a variable's name. */
export function maskSecrets(text: string): string {
  return text.replace(secrets, (found) =>
    found.replace(/[0-9A-Za-z+/]{32,}$/, (secret) => "*".repeat(secret.length)),
  )
}

/** The diagnostic with its secrets masked in all but its source, and without a fix that has one. */
export function maskDiagnostic(diagnostic: Diagnostic): Diagnostic {
  const { message, phrase, related, fix } = diagnostic
  return {
    ...diagnostic,
    message: maskSecrets(message),
    phrase: phrase?.map((part) =>
      typeof part === "string" ? part : { ...part, foreign: maskSecrets(part.foreign) },
    ),
    related: related.map((other) => ({ ...other, message: maskSecrets(other.message) })),
    fix: fix && maskSecrets(fix.text) === fix.text ? fix : undefined,
  }
}
