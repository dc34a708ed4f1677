import { execFile, execFileSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

/** A program that asks through a language's OpenFeature SDK and OFREP provider, both unchanged. */
export interface Client {
  readonly language: string
  /** What must be there to build it. */
  readonly tools: readonly string[]
  /** Installs what it needs, and gives its command line. */
  build(): readonly string[]
  /** The command line that runs another program, of one file, with the same installation; `undefined` if that is not possible. */
  runFile?(file: string): { readonly command: readonly string[]; readonly folder: string }
}

const sources = import.meta.dirname
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "flagstone", "clients")

function run(folder: string, command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { cwd: join(sources, folder), stdio: ["ignore", "inherit", "inherit"] })
}

export const clients: readonly Client[] = [
  {
    language: "Python",
    tools: ["python3"],
    build() {
      const venv = join(cache, "python")
      if (!existsSync(join(venv, "bin/pip"))) run("python", "python3", "-m", "venv", venv)
      run("python", join(venv, "bin/pip"), "install", "-q", "-r", "requirements.txt")
      return [join(venv, "bin/python"), join(sources, "python/client.py")]
    },
    runFile: (file) => ({ command: [join(cache, "python/bin/python"), file], folder: sources }),
  },
  {
    language: "Go",
    tools: ["go"],
    build() {
      const program = join(cache, "go/client")
      run("go", "go", "build", "-o", program, ".")
      return [program]
    },
    runFile: (file) => ({ command: ["go", "run", file], folder: join(sources, "go") }),
  },
  {
    language: "Java",
    tools: ["java", "mvn"],
    build() {
      const target = join(cache, "java")
      run("java", "mvn", "-q", "-B", "package", `-Dtarget=${target}`)
      return ["java", "-cp", `${join(target, "classes")}:${join(target, "jars")}/*`, "Client"]
    },
    runFile: (file) => ({ command: ["java", "-cp", join(cache, "java/jars/*"), file], folder: sources }),
  },
  {
    language: "Rust",
    tools: ["cargo"],
    build() {
      const target = join(cache, "rust")
      run("rust", "cargo", "build", "-q", "--locked", "--target-dir", target)
      return [join(target, "debug/client")]
    },
  },
]

/** The tools of a client that this machine lacks. */
export function missingTools({ tools }: Client): readonly string[] {
  mkdirSync(cache, { recursive: true })
  return tools.filter((tool) => {
    try {
      execFileSync("sh", ["-c", `command -v ${tool}`], { stdio: "ignore" })
      return false
    } catch {
      return true
    }
  })
}

/** Which of the SDK's functions is called. */
export type Accessor = "boolean" | "text" | "integer" | "float" | "object"

/** What to ask for: an accessor, a flag's key, and the `plan` of the context. */
export type Question = readonly [accessor: Accessor, key: string, plan: string]

/** The value that the application got: its own if there is an error code. */
export interface Said {
  readonly value: unknown
  readonly errorCode: string | undefined
}

/** The application's own values. */
export const fallbacks: Readonly<Record<Accessor, unknown>> = {
  boolean: false,
  text: "fallback",
  integer: -1,
  float: -1.5,
  object: { fallback: true },
}

/** Has a client ask all questions, one after the other; `apiKey` may be empty. */
export async function askAll(
  [program = "", ...args]: readonly string[],
  url: string,
  apiKey: string,
  questions: readonly Question[],
): Promise<readonly Said[]> {
  const child = promisify(execFile)(program, [...args, url, apiKey], { encoding: "utf8" })
  child.child.stdin?.end(questions.map((question) => `${question.join("\t")}\n`).join(""))
  const { stdout } = await child
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [value = "", code] = line.split("\t").slice(3)
      return { value: JSON.parse(value), errorCode: code || undefined }
    })
}
