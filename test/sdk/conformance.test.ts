// @module-tag system
// @module-tag property
// @module-tag slow
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process"
import { join, resolve } from "node:path"
import { isDeepStrictEqual } from "node:util"
import * as fc from "fast-check"
import { beforeAll, describe, expect, test } from "vitest"
import { isObject } from "../../sdk/contract/parsed.ts"
import { runs } from "../runs.ts"
import { environment, plainContext } from "./evaluation/arbitrary.ts"
import { classNames } from "./evaluation/class-names.ts"
import { entryOf, ownVectors, vendorVectors } from "./evaluation/vectors.ts"

const root = resolve(import.meta.dirname, "../..")

interface Sdk {
  readonly language: string
  /** Its `conformance`. */
  readonly program: string
  readonly tool: string
}

const sdks: readonly (Sdk & { readonly isThere: boolean })[] = [
  { language: "JavaScript", program: "sdk/conformance", tool: "node" },
  { language: "Python", program: "sdk/python/conformance", tool: "python3" },
  { language: "Go", program: "sdk/go/conformance", tool: "go" },
  { language: "Java", program: "sdk/java/conformance", tool: "mvn" },
].map((sdk) => ({ ...sdk, isThere: spawnSync(sdk.tool, ["--help"]).error === undefined }))

for (const { language, tool, isThere } of sdks)
  if (!isThere) console.warn(`SKIPPED: the SDK for ${language}, because ${tool} is not installed`)

// Programs are built before anything is asked: Maven gets what it needs from its repository.
beforeAll(async () => {
  for (const { program, isThere } of sdks) if (isThere) await ask(program, [])
}, 300_000)

/** A flag of a document, which SDKs may refuse, and the contexts that it is asked about. */
interface Case {
  readonly document: unknown
  readonly key: string
  readonly contexts: readonly object[]
}

/** One context of a case. */
interface Question {
  readonly document: unknown
  readonly context: object
}

/** A flag alone in its document. */
function aloneCase(flag: Parameters<typeof entryOf>[0], ...contexts: readonly object[]): Case {
  return { document: { flags: [entryOf(flag)] }, key: flag.flag.key, contexts }
}

/** A line of an answer. */
interface Answer {
  readonly value?: unknown
  readonly cause?: string
  readonly rule?: string | null
  readonly error?: string
}

/** What an SDK's `conformance` says of each context of each case. */
async function ask(program: string, cases: readonly Case[]): Promise<readonly Answer[]> {
  const child = spawn(join(root, program))
  const [text] = await Promise.all([textOf(child), send(child, cases)])
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const { value, cause, rule, error } = JSON.parse(line)
      return { value, cause, rule, error }
    })
}

async function textOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  let said = ""
  let complaint = ""
  child.stdout.setEncoding("utf8").on("data", (text) => (said += text))
  child.stderr.setEncoding("utf8").on("data", (text) => (complaint += text))
  const status = await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject))
  if (status !== 0) throw new Error(`status ${status}: ${complaint.slice(-2_000)}`)
  return said
}

async function send({ stdin }: ChildProcessWithoutNullStreams, cases: readonly Case[]): Promise<void> {
  for (const { document, key, contexts } of cases) {
    const lines = [{ document }, ...contexts.map((context) => ({ key, context }))]
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("")
    if (!stdin.write(text)) await new Promise((resolve) => stdin.once("drain", resolve))
  }
  stdin.end()
}

// Of the cases that the vectors' README allows to leave out, those that Go, which reads half of a pair as U+FFFD, answers otherwise.
const halvesOfPairs = [
  "text beyond ASCII: 😀 contains its first half",
  "text beyond ASCII: 😀 startsWith its first half",
  "text beyond ASCII: 😀 endsWith its second half",
]

/**
 * Whether an SDK may answer a question otherwise than the reference: its classes have the characters of their engine's version
 * of Unicode, and Go has U+FFFD for half of a surrogate pair.
 */
async function mayDiffer(reference: Sdk, { language, program }: Sdk, question: Question): Promise<boolean> {
  const document = JSON.stringify(question.document)
  const context = JSON.stringify(question.context)
  if (language === "Go" && /\\ud[89a-f]/.test(document + context)) return true
  const classes = classNames.filter((name) => new RegExp(`[pP](?:\\{\\^?${name}\\}|${name})`).test(document))
  if (classes.length === 0) return false
  const characters = classes
    .flatMap((name) => [`\\p{${name}}`, `(?i)\\p{${name}}`])
    .map((value) => {
      const rule = { attribute: "x", operator: "matches", value, returnValue: true }
      const flag = { key: "character", defaultValue: false }
      const environment = { enabled: true, rules: [rule] }
      return aloneCase({ flag, environment }, ...[...context].map((x) => ({ x })))
    })
  const [expected, said] = await Promise.all([ask(reference.program, characters), ask(program, characters)])
  return !isDeepStrictEqual(said, expected)
}

describe.each(sdks)("the SDK for $language", ({ language, program, isThere }) => {
  test.skipIf(!isThere)("answers all vectors as expected", async () => {
    const vectors = [...ownVectors, ...[...vendorVectors.values()].flat()]
    const said = await ask(
      program,
      vectors.map((vector) => aloneCase(vector, vector.context)),
    )
    const wrong = vectors.filter((vector, at) => {
      const { value, error } = said[at] ?? {}
      if (vector.cannotBeKnown) return error !== "unknownOperator"
      return !isDeepStrictEqual(value, vector.expected)
    })
    expect(wrong.map((vector) => vector.case)).toEqual(language === "Go" ? halvesOfPairs : [])
  })

  test.skipIf(!isThere)("reads lines with everything that ends lines elsewhere", async () => {
    const x = "\r\v\f\x85\u2028\u2029"
    const rule = { attribute: "x", operator: "equals", value: x, returnValue: true }
    const flag = { key: "f", defaultValue: false }
    const environment = { enabled: true, rules: [rule] }
    expect(await ask(program, [aloneCase({ flag, environment }, { x })])).toEqual([
      { value: true, cause: "rule", rule: "rule-0" },
    ])
  })
})

/** In the order of documents. */
const keys = ["", "B", "a", "feature", "k".repeat(70), "team/größe", "\ud83d", "\u{1f600}", "\ue000"]

/** At most three flags, with a key that mostly is one of theirs. */
const flagsAndKey = fc
  .record({
    entries: fc.uniqueArray(fc.record({ at: fc.nat(keys.length - 1), environment }), {
      minLength: 1,
      maxLength: 3,
      selector: ({ at }) => at,
    }),
    key: fc.option(fc.constantFrom(...keys), { freq: 20 }),
  })
  .map(({ entries, key }) => {
    const sorted = entries.toSorted((a, b) => a.at - b.at)
    const flags = sorted.map(({ at, environment }) =>
      entryOf({ flag: { key: keys[at] ?? "", defaultValue: "default" }, environment }),
    )
    return { document: { flags }, key: key ?? flags[0]?.flag.key ?? "" }
  })

type Holder = unknown[] | Readonly<Record<string, unknown>>

/** What can happen to a member of an object, or an element of a list. */
const damages: readonly ((holder: Holder, name: string) => unknown)[] = [
  (holder, name) =>
    Array.isArray(holder) ? holder.splice(Number(name), 1) : Reflect.deleteProperty(holder, name),
  (holder, name) =>
    Array.isArray(holder) ? holder.push(holder[Number(name)]) : Reflect.deleteProperty(holder, name),
  (holder) => (Array.isArray(holder) ? holder.reverse() : Reflect.set(holder, "later", 1)),
  ...[null, true, 1, "", "later", [], {}].map(
    (value) => (holder: Holder, name: string) => Reflect.set(holder, name, value),
  ),
]

/** A copy of a document with something added, missing, out of order or of another type. */
function damage(document: Readonly<Record<string, unknown>>, at: number, how: number): object {
  const copy = structuredClone(document)
  const places: (readonly [Holder, string])[] = []
  const collect = (holder: Holder) => {
    for (const [name, value] of Object.entries(holder)) {
      places.push([holder, name])
      if (Array.isArray(value) || isObject(value)) collect(value)
    }
  }
  collect(copy)
  const [holder, name] = places[at % places.length] ?? [{}, ""]
  damages[how]?.(holder, name)
  return copy
}

const aCase: fc.Arbitrary<Case> = fc
  .record({
    flagsAndKey,
    damaged: fc.option(fc.tuple(fc.nat(), fc.nat(damages.length - 1)), { freq: 2 }),
    contexts: fc.array(plainContext, { minLength: 5, maxLength: 5 }),
  })
  .map(({ flagsAndKey: { document, key }, damaged, contexts }) => {
    return { document: damaged === null ? document : damage(document, ...damaged), key, contexts }
  })

test("all SDKs take the same random documents, and say the same of their flags: value, cause and rule", async () => {
  const [reference, ...rest] = sdks.filter(({ isThere }) => isThere)
  if (reference === undefined) throw new Error("node is not there")
  const seen = new Map<string, number>()
  for (let left = runs(2_500); left > 0; left -= 2_000) {
    const cases = fc.sample(aCase, Math.min(left, 2_000))
    const expected = await ask(reference.program, cases)
    for (const { cause, error } of expected) {
      const kind = cause ?? error ?? ""
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
    }
    const questions = cases.flatMap(({ document, contexts }) =>
      contexts.map((context) => ({ document, context })),
    )
    for (const sdk of rest) {
      const said = await ask(sdk.program, cases)
      for (const [at, question] of questions.entries()) {
        if (isDeepStrictEqual(said[at], expected[at])) continue
        if (await mayDiffer(reference, sdk, question)) continue
        expect({ ...question, said: said[at] }, sdk.language).toEqual({ ...question, said: expected[at] })
      }
      expect(said.length).toBe(expected.length)
    }
  }
  for (const kind of [
    ...["document", "unknownFlag", "unknownOperator"],
    ...["rule", "share", "always", "default", "disabled", "unconfigured"],
  ])
    expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(0)
}, 3_600_000)
