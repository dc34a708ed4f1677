import { replaceHarmful } from "./printable.ts"

/**
 * A description as one line that cannot end a comment or docstring in any language, and hides nothing: generators insert
 * it verbatim, and Java even reads `\u002a` in comments as a star.
 */
export function commentText(description: string): string {
  return replaceHarmful(description, () => " ")
    .replace(/\s+/g, " ")
    .replaceAll("\\", "/")
    .replaceAll("*/", "* /")
    .replaceAll('"""', "'''")
    .trim()
}
