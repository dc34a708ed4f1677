/**
 * What git leaves in a file whose filter did not run, by how its text begins. Every line of it would be a value of a list.
 * https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 */
const beginnings: readonly (readonly [beginning: string, message: string])[] = [
  [
    "version https://git-lfs.github.com/spec/",
    "This is a pointer of Git LFS, not the file. Run `git lfs pull`, or check out with `lfs: true` in CI. Commits have only the pointer: to compare them, keep the file out of LFS.",
  ],
  ["/annex/objects/", "This is a pointer of git-annex, not the file. Run `git annex get`."],
  ["U2FsdGVkX1", "The file is encrypted, as transcrypt and OpenSSL do. Decrypt it."],
]

/** Why a text is not what its author wrote, as a message; `undefined` if it is. */
export function whyUndelivered(text: string): string | undefined {
  return beginnings.find(([beginning]) => text.startsWith(beginning))?.[1]
}
