import { readPackageFile } from "./package-files.ts"

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
