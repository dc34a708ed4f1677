import { readPackageFile } from "./package-files.ts"

/**
 * The address of a page in Flagstone's repository; `undefined` where the package does not say where that lies.
 * `repository` is as in package.json.
 */
export function docsAddress(
  page: string,
  repository: string | undefined = JSON.parse(readPackageFile("package.json")).repository?.url,
): string | undefined {
  const address = repository?.replace(/^git\+/, "").replace(/(\.git)?\/?$/, "")
  return address === undefined ? undefined : `${address}/blob/HEAD/${page}`
}
