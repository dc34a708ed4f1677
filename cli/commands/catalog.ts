import { mkdir } from "node:fs/promises"
import { dirname, relative, resolve } from "node:path"
import { Command, InvalidArgumentError, Option } from "commander"
import { type CompileRequest, compileProject } from "../build-project.ts"
import { watchBuild } from "../catalog/build-parts.ts"
import { makeCatalog } from "../catalog/catalog.ts"
import { findBaseUrl } from "../catalog/model/source-links.ts"
import type { Onlooker } from "../compile/onlooker.ts"
import { plural } from "../diagnostics/format-text.ts"
import { printable } from "../diagnostics/printable.ts"
import { Failure } from "../failure.ts"
import { replaceFile } from "../files/replace-file.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { flagsOption } from "./options.ts"

/** The options of `catalog`. */
export interface CatalogOptions extends CompileRequest {
  /** The file; the command line or a variable must name one. */
  readonly out?: string
  /** The repository's web address; `undefined`: what CI or the remote says. */
  readonly baseUrl?: string
  /** `false`: nobody is named. */
  readonly authors?: boolean
}

export const catalogCommand = (host: Host, exit: Exit): Command =>
  new Command("catalog")
    .addOption(flagsOption())
    .option("--out <file>", "the HTML file to write; must be given")
    .addOption(
      new Option(
        "--base-url <address>",
        "the repository's web pages, for links to lines (default: from CI's variables or the remote origin)",
      ).argParser(parseWebAddress),
    )
    .option("--no-authors", "leave the authors' names out")
    .option("--allow-shallow", "take a shallow clone, although its times and history are wrong")
    .option("--no-cache", "neither read nor write the cache")
    .addHelpText("after", "\nExample:\n  $ flagstone catalog --out site/index.html")
    .action((options: CatalogOptions) => exit(runCatalog(options, host)))

/** Writes the catalogue. Nothing is written where there are errors. Throws `Failure` where it cannot be written. */
export async function runCatalog(options: CatalogOptions, host: Host): Promise<ExitStatus> {
  host.heap.expectShortProcess()
  if (options.out === undefined) throw new Failure("name the HTML file to write with --out")
  const watch = watchBuild()
  let finding: Promise<string | undefined> | undefined
  const onlooker: Onlooker = {
    ...watch.onlooker,
    onFiles(project, repository, files) {
      finding = findBaseUrl(host.env, project.folder, host.git) // git answers while flags are compiled
      finding.catch(() => {}) // awaited where there is a catalogue to make
      watch.onlooker.onFiles(project, repository, files)
    },
  }
  const result = await compileProject(options, host, [], onlooker)
  if (result.kind === "errors") return result.status
  const { project, build } = result
  const page = await makeCatalog({
    project,
    build,
    parts: watch.parts(),
    git: host.git,
    baseUrl: options.baseUrl ?? (await finding),
    authors: options.authors ?? true,
    cache: options.cache ?? true,
  })
  const path = resolve(host.cwd, options.out)
  try {
    await mkdir(dirname(path), { recursive: true })
    await replaceFile(path, page)
  } catch (cause) {
    throw new Failure(`cannot write ${path}: ${(cause as Error).message}`, { cause })
  }
  const [first] = Object.values(build.manifest.environments)
  const file = printable(relative(host.cwd, path))
  host.stdout.write(
    `${file}: ${plural(first?.flags ?? 0, "flag")} in ${plural(project.environments.length, "environment")}\n`,
  )
  return 0
}

function parseWebAddress(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw new InvalidArgumentError(
      "Write an address such as https://github.com/acme/flags, without a name or password.",
    )
  return text
}
