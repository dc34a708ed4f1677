import { existsSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { packagePath, readPackageFile } from "./package-files.ts"

/** Makes the address of a section of a page; `section` is its heading as in links between the pages. */
export type DocsLink = (section: string) => string

/** The addresses of a page in Flagstone's repository, the one in package.json; `undefined` if there is none. */
export function publicDocs(
  page: string,
  repository: string | undefined = JSON.parse(readPackageFile("package.json")).repository?.url,
): DocsLink | undefined {
  const address = repository?.replace(/^git\+/, "").replace(/(\.git)?\/?$/, "")
  return address === undefined ? undefined : (section) => `${address}/blob/HEAD/${page}#${section}`
}

/**
 * The addresses of a page as it lies on this machine, which no other machine need have; `undefined` if it was left out of
 * the installation. Editors open a `file:` address at the line that follows `#L`, and know no headings.
 */
export function installedDocs(page: string): DocsLink | undefined {
  const path = packagePath(page)
  if (!existsSync(path)) return undefined
  // Round brackets would end the address in Markdown.
  const address = pathToFileURL(path).href.replaceAll("(", "%28").replaceAll(")", "%29")
  const lines = readPackageFile(page).split("\n")
  return (section) => `${address}#L${lines.findIndex((line) => anchorOf(line) === section) + 1}`
}

/** A heading as links name it; `undefined` for any other line. */
function anchorOf(line: string): string | undefined {
  return /^##+ (.+)$/
    .exec(line)?.[1]
    ?.toLowerCase()
    .replace(/[^\w -]/g, "")
    .replaceAll(" ", "-")
}
