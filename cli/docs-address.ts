import { existsSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { packagePath, readPackageFile } from "./package-files.ts"

/** Returns the address of a page's section; `section` is its heading as it appears in links. */
export type DocsLink = (section: string) => string

/** Links to a page in the repository that package.json names; `undefined` if it names none. */
export function publicDocs(
  page: string,
  repository: string | undefined = JSON.parse(readPackageFile("package.json")).repository?.url,
): DocsLink | undefined {
  const address = repository?.replace(/^git\+/, "").replace(/(\.git)?\/?$/, "")
  return address === undefined ? undefined : (section) => `${address}/blob/HEAD/${page}#${section}`
}

/**
 * Links to a page as installed on this machine, which may not work on others; `undefined` if the page was not
 * installed. Editors open a `file:` address at the line after `#L`; they cannot find headings.
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
