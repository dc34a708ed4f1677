import { plural } from "../diagnostics/plural.ts"
import { Failure } from "../failure.ts"
import { findChanges, inOrder, makeChange, type PathChange, wantedOf } from "./changes.ts"
import { holdOf } from "./hold.ts"
import { currentFile, notFoundBody, notFoundPath, pointerPath } from "./layout.ts"
import { cutOff, isOfTheMachine, outrun, unfinished } from "./outrun.ts"
import type { Plan } from "./plan.ts"
import { type Published, readPublished } from "./published.ts"
import { readCurrentApi, readKnownPaths } from "./published-api.ts"
import { holds, sendIf } from "./send.ts"
import type { PublishTarget } from "./target.ts"

/**
 * Carries a plan out: first the pointer and what it needs, then the API's paths. Each file that decides who wins is
 * written only over the one that was read, so whoever loses has changed nothing that readers find.
 */
export async function carryOut(target: PublishTarget, plan: Plan, onDone: () => void): Promise<void> {
  await movePointer(target, plan, onDone).catch(async (error: Error) => {
    // It has also moved if only the answer to the last request was lost.
    const isMoved = plan.index !== undefined && (await holds(target, plan.pointer).catch(() => false))
    if (!isMoved) throw cutOff(error, plan.published)
  })
  const isOurs = await settle(target, plan.paths, plan.api, onDone)
    .then(() => holds(target, plan.pointer))
    .catch((error: Error) => {
      throw unfinished(error, plan.publication)
    })
  if (!isOurs) throw outrun(target)
}

/** Throws `Outrun` if another publisher moves it first. */
async function movePointer(target: PublishTarget, plan: Plan, onDone: () => void): Promise<void> {
  const { published, files, index, pointer, signature } = plan
  if (index && !(await sendIf(target, index, { replaces: published.storedIndex }))) throw outrun(target)
  // Read again: a prune that ran before the index was written may have deleted a document.
  const missing = await findChanges(target, files)
  const check = () => findChanges(target, missing)
  await makeAll(target, missing, check, async ({ file }) => {
    if (file !== undefined) await target.write(file)
    onDone()
  })
  if (index === undefined) return
  if (signature && !(await sendIf(target, signature, { replaces: published.signature }))) throw outrun(target)
  if (!(await sendIf(target, pointer, { replaces: published.storedPointer }))) throw outrun(target)
}

/**
 * Gives the API's paths the files of the pointer's revision. The paths have no transaction, but every publisher reads
 * the pointer after its last write and, if another has moved it, writes that one's files: a wrong write is never the
 * last, unless its publisher is killed.
 */
async function settle(
  target: PublishTarget,
  paths: readonly string[],
  changes: readonly PathChange[],
  onDone: () => void,
): Promise<void> {
  const check = async () => {
    const files = await readCurrentApi(target, await readPublished(target))
    return findChanges(target, wantedOf(paths, files))
  }
  await makeAll(target, changes, check, async (change) => {
    await makeChange(target, change)
    onDone()
  })
}

/** Repairs the API's paths of a held target, whose rollback may have been killed, and says how many were wrong. */
export async function repairHeld(target: PublishTarget, published: Published): Promise<string> {
  if (published.pointer === undefined || holdOf(published)?.layout === undefined) return ""
  let count = 0
  try {
    await settle(target, await readKnownPaths(target, published), [], () => count++)
  } catch (error) {
    if (!isOfTheMachine(error)) throw error
    return `files of the read API were not all repaired: ${error.message}\n`
  }
  return count === 0 ? "" : `${plural(count, "file")} of the read API repaired\n`
}

/** Makes the changes, and those that `check` then finds, until there are none. */
async function makeAll(
  target: PublishTarget,
  changes: readonly PathChange[],
  check: () => Promise<readonly PathChange[]>,
  make: (change: PathChange) => Promise<void>,
): Promise<void> {
  let left = changes
  for (let tries = 1; ; tries++) {
    await inOrder(left, make)
    left = await check()
    const [first] = left
    if (first === undefined) return
    if (tries === mostTries)
      throw new Failure(
        `${target.location}: ${first.path} does not read back as it was sent; publish to the origin without a cache in between, one publisher at a time`,
      )
  }
}

const mostTries = 5

/** How often `carryOut` calls `onDone`, at least. */
export function countSteps({ immutables, api }: Plan): number {
  return immutables.length + api.length
}

/**
 * Whether a target refuses a write whose condition is false, tested with a file that is the same in all publications.
 * The target must have been published to.
 */
export async function knowsConditions(target: PublishTarget): Promise<boolean> {
  const pointer = await target.read(pointerPath)
  const question = currentFile(notFoundPath, notFoundBody)
  const answer = await target.write(question, { replaces: undefined }).catch(() => "lost")
  return answer === "lost" && pointer?.version !== undefined
}
