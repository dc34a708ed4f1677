import { parentPort } from "node:worker_threads"
import { createExpressions } from "../../../sdk/evaluation/expression.ts"
import { loadEngine } from "../../compile/definition/expression-engine.ts"
import { identityOf } from "../../compile/definition/flag-file.ts"
import { noSegments } from "../../compile/definition/segments.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import { createTeller, type Teller } from "./teller.ts"
import type { TellingMessage, TellingOrder, Told, ToldCommit } from "./telling.ts"
import { createVersionReader } from "./written-version.ts"

// The thread that describes a history while the main one compiles: each commit as soon as its versions have come.
const versions = new Map<string, ResolvedFlag | undefined>()
const readVersion = createVersionReader()
let commits: readonly ToldCommit[] = []
let teller: Teller | undefined
let said = 0
/** The versions of the commit to be described next. */
let wanted: readonly string[] = []
/** How many of them have come. */
let known = 0

function start({ project, environments, commits: ordered }: TellingOrder): void {
  commits = ordered
  const state = { name: "", segments: noSegments }
  const flag = (path: string, blob: string) => versions.get(identityOf(blob, path))
  teller = createTeller({
    project: { name: project, environments, ignores: () => false },
    start: new Map(),
    meanings: {
      flag,
      segments: () => state,
      usersOfSegments: () => [],
      isReadable: (path, blob) => flag(path, blob) !== undefined,
    },
    compileExpression: createExpressions(loadEngine),
  })
}

function versionsOf({ changes }: ToldCommit): readonly string[] {
  return [...changes].flatMap(([path, { after }]) => (after === undefined ? [] : identityOf(after, path)))
}

function tellKnown(): void {
  for (let next = commits[said]; next !== undefined; next = commits[++said]) {
    if (known === 0) wanted = versionsOf(next)
    while (known < wanted.length && versions.has(wanted[known] ?? "")) known++
    if (known < wanted.length) return // a commit of thousands is not looked through with each message again
    known = 0
    teller?.tell(next)
  }
}

parentPort?.on("message", (message: TellingMessage) => {
  if (message.kind === "commits") start(message.order)
  if (message.kind === "versions")
    for (const version of message.versions) versions.set(...readVersion(version))
  tellKnown()
  if (message.kind !== "end") return
  if (teller === undefined || said < commits.length)
    throw new Error(`a version of the commit ${commits[said]?.id} is missing`)
  const told: Told = { history: teller.history(), files: teller.files }
  parentPort?.postMessage(told)
  parentPort?.close()
})
