import { createPrivateKey } from "node:crypto"
import { Failure } from "../../../cli/failure.ts"
import { createSigningKeys } from "../../../cli/keys/create-signing-keys.ts"
import type { PublishTarget } from "../../../cli/publish/target.ts"
import type { TestPlace } from "../../contracts/publish-target.ts"
import { seeded } from "../../seeded.ts"
import { type Ending, interleave } from "./interleave.ts"
import { findWrongSet, type LaidOut, publicationOf, publishOnce, readAsReaders } from "./publications.ts"

const signingKeyOf = () =>
  createPrivateKey({
    key: Buffer.from(createSigningKeys().privateKey, "base64"),
    format: "der",
    type: "pkcs8",
  })

/**
 * One round: usually a revision exists; then two or three publishers, each with its own layout, run at once, in an
 * order that the seed decides, and in some rounds one fails or is killed on the way. Throws unless exactly one wins, or
 * if readers find anything that is not the winner's; if one was cut off, and in a place without conditional writes, where two with one
 * layout run at once, if the next run does not repair everything. With conditional writes, proxies find a whole set at every moment.
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
  const laidOut = (revision: string): LaidOut => {
    const keys = ["a", "b", "c", "d/e"].filter(() => random() < 0.7)
    const flags = Object.fromEntries(["z", ...keys].map((key) => [key, pick("1", "2", "3")]))
    const base = random() < 0.2 && isConditional ? "production-5ec7" : "production"
    return { ...publicationOf(revision, flags), perFlag: random() < 0.6 && !keepsObjectsAsFiles, base }
  }
  const start = Date.UTC(2026, 10, 21, 10)
  const options = { perFlag: false, signingKey: random() < 0.3 ? signingKeyOf() : undefined, now: start }
  const publish = (target: PublishTarget, { base = "", ...one }: LaidOut, now: number) =>
    publishOnce(target, one, { ...options, perFlag: one.perFlag === true, base, now })
  const before = laidOut("00")
  const racing = (random() < 0.2 && isConditional ? ["aa", "bb", "cc"] : ["aa", "bb"]).map(laidOut)
  const all = [before, ...racing]
  if (random() < 0.9) await publish(open(), before, start)
  const misfortune = pick("none", "none", "kill", "failure", "failure")
  const misfortuneAt = Math.floor(random() * 60)
  const isDone = random() < 0.3
  const reader = open()
  const wrong: string[] = []
  const { endings, steps, arrive } = await interleave(
    racing.map((one, at) => ({
      target: open(),
      // Conditions alone keep two from publishing at the same time.
      run: (target: PublishTarget) =>
        publish(target, one, start + (isConditional ? pick(0, 1, 1000) : 10 * at)),
      // Otherwise most would lose at the index, and nothing would happen.
      ...(at > 0 && random() < 0.85
        ? { startsAfter: `${"ABC"[at - 1]} PUT ${pick("revisions.json", "manifest.json if", "production")}` }
        : {}),
      ...(misfortune === "kill" && isConditional && at === 0 ? { killedAfter: misfortuneAt } : {}),
      ...(misfortune === "failure" && at === 0 ? { fails: { at: misfortuneAt, isDone } } : {}),
    })),
    random,
    async (label) => {
      if (isConditional && / PUT manifest\.json/.test(label))
        wrong.push(...(await findWrongSet(reader, options)))
    },
  )
  const outcome = endings
    .map((ending, at) => {
      const what = ending.kind === "threw" ? (ending.error as Error).message : ending.kind
      return `${"ABC"[at]}: ${ending.kind === "returned" ? ending.value : what}`
    })
    .join("; ")
  try {
    if (wrong.length > 0) throw new Error(`proxies find ${wrong.join(", ")}`)
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
    if (isKilled || winner < 0) await publish(open(), next, start + 2000)
    const foundThen = await readAsReaders(reader, all, options)
    if (foundThen !== next.revision) throw new Error(`readers have ${foundThen} after ${next.revision}`)
    const again = await publish(open(), next, start + 3000)
    if (again !== "nothing to send") throw new Error(`the same again: ${again}`)
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
  if (!isConditional && error instanceof Failure) return true
  return /^(a failure that a test wants|another publisher updated)/.test((error as Error).message)
}

/** Whether it did not complete what it had begun. */
function isCutOff(ending: Ending<unknown>): boolean {
  if (ending.kind === "killed") return true
  return ending.kind === "threw" && /may still be those of another/.test((ending.error as Error).message)
}
