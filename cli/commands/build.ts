import { join, resolve } from "node:path"
import { Command } from "commander"
import { plural } from "../diagnostics/plural.ts"
import { relativePath } from "../diagnostics/relative-path.ts"
import { readIfThere } from "../files/read-if-there.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import type { Build } from "../project/build.ts"
import { buildProject, compileProject } from "../project/build-project.ts"
import { compile } from "../project/compile.ts"
import { documentsOf, filesOf } from "../project/write-build.ts"
import { flagsOption, type OptionsOf, outOption } from "./options.ts"

const declareBuild = () =>
  new Command("build")
    .addOption(flagsOption())
    .addOption(outOption())
    .option("--require-clean", "fail if there are uncommitted changes")
    .option("--allow-shallow", "compile a shallow clone, even though its times are wrong")
    .option("--check", "write nothing; fail if the output differs from this build")
    .addHelpText("after", "\nExample:\n  $ flagstone build --flags flags --out dist")

/** The options of `build`. */
export type BuildOptions = OptionsOf<typeof declareBuild>

export const buildCommand = (host: Host, exit: Exit) =>
  declareBuild().action((options) => exit(runBuild(options, host)))

/** Compiles and writes; prints a line for each snapshot. Nothing is written if there are errors. */
export async function runBuild(options: BuildOptions, host: Host): Promise<ExitStatus> {
  if (options.check === true) return checkBuild(options, host)
  const result = await buildProject(options, host)
  if (result.kind === "errors") return result.status
  const { made: build } = result
  for (const { environment, file, bytes, configured } of build.snapshots) {
    const path = relativePath(host.cwd, resolve(host.cwd, options.out, file))
    const flags = plural(build.manifest.environments[environment]?.flags ?? 0, "flag")
    host.stdout.write(`${path}: ${flags}, ${configured} configured, ${plural(bytes.length, "byte")}\n`)
  }
  return 0
}

/** Compares the build with the output folder, and prints a line for each file that differs. */
async function checkBuild(options: BuildOptions, host: Host): Promise<ExitStatus> {
  const result = await compileProject(options, host, compile)
  if (result.kind === "errors") return result.status
  const folder = resolve(host.cwd, options.out)
  const differences = await compareBuild(result.made, folder)
  for (const { file, kind } of differences) {
    host.stdout.write(`${relativePath(host.cwd, resolve(folder, file))}: ${differenceWords[kind]}\n`)
  }
  const matches = differences.length === 0 ? "matches" : "does not match"
  host.stderr.write(`${options.out} ${matches} these flags\n`)
  return differences.length === 0 ? 0 : 1
}

const differenceWords = {
  missing: "missing",
  different: "differs from this build",
  obsolete: "belongs to an environment that no longer exists",
} as const

/** How a file of the output folder differs from a build. */
interface FileDifference {
  readonly file: string
  /** `obsolete`: the folder's manifest names it, but the build has no such document. */
  readonly kind: "missing" | "different" | "obsolete"
}

/** What `writeBuild` would change in the folder: nothing if it has the build byte for byte. Throws if a file cannot be read. */
async function compareBuild(build: Build, folder: string): Promise<readonly FileDifference[]> {
  const files = filesOf(build)
  const differences: FileDifference[] = []
  for (const { file, bytes } of files) {
    const found = await readIfThere(join(folder, file))
    if (found === undefined) differences.push({ file, kind: "missing" })
    else if (!found.equals(bytes)) differences.push({ file, kind: "different" })
  }
  const obsolete = documentsOf(folder).filter((name) => !files.some(({ file }) => file === name))
  return [...differences, ...obsolete.map((file) => ({ file, kind: "obsolete" }) as const)]
}
