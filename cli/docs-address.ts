import { readPackageFile } from "./package-files.ts"

/**
 * The address of a page in Flagstone's repository; `undefined` if package.json names no repository. `repository` is
 * what it names.
 */
export function docsAddress(
  page: string,
  repository: string | undefined = JSON.parse(readPackageFile("package.json")).repository?.url,
): string | undefined {
  const address = repository?.replace(/^git\+/, "").replace(/(\.git)?\/?$/, "")
  return address === undefined ? undefined : `${address}/blob/HEAD/${page}`
}
