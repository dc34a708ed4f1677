import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { hasMaven, javaClasspath } from "../java-classpath.ts"
import { createPythonEnvironment, hasPython, pythonSdk } from "../python/installed-python.ts"

/** A program that follows flags with a language's provider, as `application.ts` does. */
export interface Application {
  readonly language: string
  /** The tool that this machine lacks; `undefined`: it can be run. */
  readonly missing: string | undefined
  /** Whether libfaketime can move its clock: Go asks the system itself, and Java asks so often that it takes too long. */
  readonly hasMovableClock: boolean
  /** Builds it, and gives the command line, to which arguments are added. Nothing else runs meanwhile. */
  build(): readonly string[]
}

const source = (name: string) => join(import.meta.dirname, name)
const python = createPythonEnvironment("python-following")

export const applications: readonly Application[] = [
  {
    language: "Node",
    missing: undefined,
    hasMovableClock: true,
    build: () => [process.execPath, source("application.ts")],
  },
  {
    language: "Python",
    missing: hasPython ? undefined : "python3 from 3.10 on",
    hasMovableClock: true,
    build() {
      python.install()
      return [python.program("python"), source("application.py")]
    },
  },
  {
    language: "Go",
    missing: spawnSync("go", ["version"]).error === undefined ? undefined : "go",
    hasMovableClock: false,
    build() {
      const program = join(mkdtempSync(join(tmpdir(), "flagstone-following-")), "application")
      const args = ["build", "-o", program, source("application.go")]
      execFileSync("go", args, { cwd: join(pythonSdk, "../go") })
      return [program]
    },
  },
  {
    language: "Java",
    missing: hasMaven ? undefined : "mvn",
    hasMovableClock: false,
    build() {
      const folder = mkdtempSync(join(tmpdir(), "flagstone-following-"))
      const paths = javaClasspath()
      execFileSync("javac", ["-cp", paths, "-d", folder, source("Application.java")])
      return ["java", "-XX:TieredStopAtLevel=1", "-cp", `${folder}:${paths}`, "Application"]
    },
  },
]
