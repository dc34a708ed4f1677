import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import type { Context } from "../../../../sdk/evaluation/evaluation.ts"

/** The library with which a tool itself evaluates flags. */
export interface Engine {
  readonly tool: "flagd" | "goff" | "unleash" | "launchdarkly"
  /** Installs its newest version, which it returns, below `cache`. Throws if this machine cannot. */
  install(): string
  /** The flags' values by a file of the tool, parsed; `undefined` or null: none in this context. */
  ask(file: unknown, asks: readonly Ask[]): Promise<readonly unknown[]>
  readonly operators: readonly string[]
  /** A file in which each flag is true where all its comparisons hold, and else false. */
  fileOf(flags: readonly RandomFlag[]): unknown
}

export interface Ask {
  readonly flag: string
  readonly context: Context
}

export type RandomFlag = readonly [key: string, comparisons: readonly Comparison[]]

export interface Comparison {
  readonly attribute: string
  readonly operator: string
  readonly operands: readonly [string | number, string | number]
  readonly isNegated: boolean
}

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "flagstone", "engines")

function run(cwd: string, command: string, ...args: readonly string[]): string {
  const env = { ...process.env, GOFLAGS: "-mod=mod", NODE_OPTIONS: "" }
  return execFileSync(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" })
}

export function installFromNpm(name: string): string {
  mkdirSync(cache, { recursive: true })
  run(cache, "npm", "install", "--prefix", cache, "--no-audit", "--no-fund", `${name}@latest`)
  return `${name} ${createRequire(join(cache, "x"))(join(cache, "node_modules", name, "package.json")).version}`
}

/** A module that npm installed. */
export function load<T>(name: string): T {
  return createRequire(join(cache, "x"))(name)
}

/** Compiles the program `name`.go, which is beside this file; `known` is a version for proxies that do not list them. */
export function installFromGo(name: string, module: string, known: string): string {
  const folder = join(cache, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  copyFileSync(join(import.meta.dirname, `${name}.go`), join(folder, "main.go"))
  run(folder, "go", "mod", "init", "engine")
  try {
    run(folder, "go", "get", `${module}@latest`)
  } catch {
    run(folder, "go", "mod", "edit", `-require=${module}@${known}`)
  }
  run(folder, "go", "mod", "tidy")
  run(folder, "go", "build", "-o", "engine", ".")
  return run(folder, "go", "list", "-m", module).trim()
}

/** What the program that was compiled says. */
export function askProgram(name: string, file: unknown, asks: readonly Ask[]): readonly unknown[] {
  const input = JSON.stringify({ file, asks })
  const output = execFileSync(join(cache, name, "engine"), {
    input,
    maxBuffer: 1e9,
    stdio: ["pipe", "pipe", "ignore"],
  })
  return JSON.parse(output.toString())
}
