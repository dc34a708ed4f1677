import { mkdir } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { Command, InvalidArgumentError, Option } from "commander"
import { makeCatalog } from "../catalog/catalog.ts"
import { findBaseUrl, findBranch } from "../catalog/model/source-links.ts"
import { plural } from "../diagnostics/plural.ts"
import { printable } from "../diagnostics/printable.ts"
import { relativePath } from "../diagnostics/relative-path.ts"
import { Failure } from "../failure.ts"
import { replaceFile } from "../files/replace-file.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { compileProject } from "../project/build-project.ts"
import { flagsOption, type OptionsOf } from "./options.ts"

const declareCatalog = () =>
  new Command("catalog")
    .addOption(flagsOption())
    .option("--out <file>", "the HTML file to write (required)")
    .addOption(
      new Option(
        "--base-url <url>",
        "the repository's web URL, for source links (default: from CI's variables or the remote origin)",
      ).argParser(parseWebAddress),
    )
    .option("--base <commit>", "mark the flags that changed since the branch forked from this commit")
    .option("--no-authors", "leave the authors' names out")
    .option("--allow-shallow", "accept a shallow clone, even though its times and history are wrong")
    .addHelpText("after", "\nExample:\n  $ flagstone catalog --out site/index.html")

/** The options of `catalog`. */
export type CatalogOptions = OptionsOf<typeof declareCatalog>

export const catalogCommand = (host: Host, exit: Exit) =>
  declareCatalog().action((options) => exit(runCatalog(options, host)))

/** Writes the catalogue. Nothing is written if there are errors. Throws `Failure` if it cannot be written. */
export async function runCatalog(options: CatalogOptions, host: Host): Promise<ExitStatus> {
  if (options.out === undefined) throw new Failure("name the HTML file to write with --out")
  const { base, authors } = options
  const result = await compileProject(options, host, (input, report, compileOptions) =>
    makeCatalog({
      ...{ input, report, options: compileOptions, base, authors },
      baseUrl:
        options.baseUrl === undefined
          ? findBaseUrl(host.env, input.project.folder, host.git)
          : Promise.resolve(options.baseUrl),
      editBranch: findBranch(host.env, input.project.folder, host.git),
    }),
  )
  if (result.kind === "errors") return result.status
  const { input, made } = result
  const path = resolve(host.cwd, options.out)
  try {
    await mkdir(dirname(path), { recursive: true })
    await replaceFile(path, made.page)
  } catch (cause) {
    throw new Failure(`cannot write ${path}: ${(cause as Error).message}`, { cause })
  }
  const file = printable(relativePath(host.cwd, path))
  host.stdout.write(
    `${file}: ${plural(made.flags, "flag")} in ${plural(input.project.environments.length, "environment")}\n`,
  )
  return 0
}

function parseWebAddress(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw new InvalidArgumentError(
      "Write a URL such as https://github.com/acme/flags, without a user name or password.",
    )
  return text
}
