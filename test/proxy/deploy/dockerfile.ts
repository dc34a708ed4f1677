import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"

/** An instruction of the Dockerfile, such as `COPY`, and what follows it. */
export interface Instruction {
  readonly name: string
  readonly text: string
}

/** What `FROM` begins. */
export interface Stage {
  readonly name: string
  /** The base with its options, as it is written: `${NODE}`. */
  readonly base: string
  readonly instructions: readonly Instruction[]
}

/** The Dockerfile of this repository. */
export const dockerfile = readFileSync(join(resolve(import.meta.dirname, "../../.."), "Dockerfile"), "utf8")

/** Its instructions. Throws for a line that is none. */
export function readInstructions(): readonly Instruction[] {
  return dockerfile
    .replace(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name, text] = /^([A-Z]+) +(.*)$/.exec(line.trim()) ?? []
      if (name === undefined || text === undefined) throw new Error(`not an instruction: ${line}`)
      return { name, text }
    })
}

/** Its stages by name. */
export function readStages(): ReadonlyMap<string, Stage> {
  const instructions = readInstructions()
  const starts = instructions.flatMap(({ name }, at) => (name === "FROM" ? [at] : []))
  return new Map(
    starts.map((start, at) => {
      const [, base = "", name = ""] = /^(.*) AS (\w+)$/.exec(instructions[start]?.text ?? "") ?? []
      return [name, { name, base, instructions: instructions.slice(start + 1, starts[at + 1]) }]
    }),
  )
}

/** The texts of a stage's instructions of one kind. */
export function textsOf(stage: Stage | undefined, kind: string): readonly string[] {
  return stage?.instructions.flatMap(({ name, text }) => (name === kind ? [text] : [])) ?? []
}

/** The variables that a stage sets. */
export function variablesOf(stage: Stage | undefined): Readonly<Record<string, string>> {
  const words = textsOf(stage, "ENV").flatMap((text) => text.split(" "))
  return Object.fromEntries(
    words.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]),
  )
}
