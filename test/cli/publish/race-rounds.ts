import { createPrivateKey } from "node:crypto"
import { Failure } from "../../../cli/failure.ts"
import { createSigningKeys } from "../../../cli/keys/create-signing-keys.ts"
import { Outrun } from "../../../cli/publish/outrun.ts"
import type { PublishTarget } from "../../../cli/publish/target.ts"
import type { TestPlace } from "../../contracts/publish-target.ts"
import { seeded } from "../../seeded.ts"
import { type Ending, interleave } from "./interleave.ts"
import { publicationOf, publishOnce, readAsReaders } from "./publications.ts"

const signingKeyOf = () =>
  createPrivateKey({
    key: Buffer.from(createSigningKeys().privateKey, "base64"),
    format: "der",
    type: "pkcs8",
  })

/**
 * One round: usually a revision exists; then two or three publishers run at once, in an order that the seed
 * decides, and in some rounds one is killed on the way. Throws unless exactly one wins, or if readers find
 * anything that is not the winner's; if one was killed, and in a place without conditional writes, if the
 * next run does not repair everything.
 */
export async function raceOnce(
  seed: number,
  openTarget: () => PublishTarget,
  { isConditional, keepsObjectsAsFiles = false }: Pick<TestPlace, "isConditional" | "keepsObjectsAsFiles">,
): Promise<string> {
  const opened: PublishTarget[] = []
  const open = () => {
    const target = openTarget()
    opened.push(target)
    return target
  }
  const random = seeded(seed)
  const pick = <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T
  const flags = () => {
    const keys = ["a", "b", "c", "d/e"].filter(() => random() < 0.7)
    return Object.fromEntries(["z", ...keys].map((key) => [key, pick("1", "2", "3")]))
  }
  const start = Date.UTC(2026, 10, 21, 10)
  const options = {
    perFlag: random() < 0.6 && !keepsObjectsAsFiles,
    signingKey: random() < 0.3 ? signingKeyOf() : undefined,
    now: start,
  }
  const before = publicationOf("00", flags())
  const racing = (random() < 0.8 ? ["aa", "bb"] : ["aa", "bb", "cc"]).map((name) =>
    publicationOf(name, flags()),
  )
  const all = [before, ...racing]
  if (random() < 0.9) await publishOnce(open(), before, options)
  const misfortune = pick("none", "none", "kill", "failure", "failure")
  const misfortuneAt = Math.floor(random() * 60)
  const isDone = random() < 0.3
  const reader = open()
  const { endings, steps, arrive } = await interleave(
    racing.map((publication, at) => ({
      target: open(),
      run: (target: PublishTarget) =>
        publishOnce(target, publication, { ...options, now: start + pick(0, 1, 1000) }),
      // Otherwise most would lose at their claim, and nothing would happen.
      ...(at > 0 && random() < 0.85 ? { startsAfter: `${"ABC"[at - 1]} PUT revisions.json` } : {}),
      ...(misfortune === "kill" && isConditional && at === 0 ? { killedAfter: misfortuneAt } : {}),
      ...(misfortune === "failure" && at === 0 ? { fails: { at: misfortuneAt, isDone } } : {}),
    })),
    random,
  )
  const outcome = endings
    .map((ending, at) => {
      const what = ending.kind === "threw" ? (ending.error as Error).message : ending.kind
      return `${"ABC"[at]}: ${ending.kind === "returned" ? ending.value : what}`
    })
    .join("; ")
  try {
    for (const ending of endings)
      if (ending.kind === "threw" && !isExpected(ending.error, isConditional)) throw ending.error
    const isKilled = !isConditional || endings.some(isCutOff)
    const found = isKilled ? undefined : await readAsReaders(reader, all, options)
    const winner = racing.findIndex(({ revision }) => revision === found)
    // A publisher that fails midway may have kept the others from winning; readers then have what they had.
    const mayBeNobody = misfortune === "failure" && endings.every(({ kind }) => kind === "threw")
    const isRight = endings[winner]?.kind === "returned" || (mayBeNobody && winner < 0)
    if (!isKilled && !isRight) throw new Error(`readers have ${found}`)

    await arrive()
    const next = racing[winner] ?? pick(...racing)
    if (isKilled || winner < 0) await publishOnce(open(), next, { ...options, now: start + 2000 })
    const foundThen = await readAsReaders(reader, all, options)
    if (foundThen !== next.revision) throw new Error(`readers have ${foundThen} after ${next.revision}`)
    const again = await publishOnce(open(), next, { ...options, now: start + 3000 })
    if (again !== "nothing to send" && misfortune !== "failure") throw new Error(`the same again: ${again}`)
  } catch (error) {
    throw new Error(
      `seed ${seed}: ${(error as Error).message}\n${outcome}\n${steps.map((step, at) => `${at} ${step}`).join("\n")}`,
      { cause: error },
    )
  } finally {
    for (const target of opened) await target.close()
  }
  return outcome
}

/** Either another publisher won, or the test caused the failure. */
function isExpected(error: unknown, isConditional: boolean): boolean {
  if (error instanceof Outrun || (!isConditional && error instanceof Failure)) return true
  return /^(a failure that a test wants|another publisher updated)/.test((error as Error).message)
}

/** Whether it could not even undo what it had begun, and reports that. */
function isCutOff(ending: Ending<unknown>): boolean {
  if (ending.kind === "killed") return true
  return ending.kind === "threw" && /may come from several/.test((ending.error as Error).message)
}
