import { Failure } from "../../../cli/failure.ts"
import type { PublishTarget } from "../../../cli/publish/target.ts"

/** One publisher among several: what it does with its target, and how it ends. */
export interface Actor<T> {
  readonly target: PublishTarget
  readonly run: (target: PublishTarget) => Promise<T>
  /** It starts when another's step contains this string, or the others have nothing to do. */
  readonly startsAfter?: string
  /** The number of its operations after which it is killed; `undefined`: never. */
  readonly killedAfter?: number
  /** The number of the operation that the target refuses, or carries out without its answer arriving. */
  readonly fails?: { readonly at: number; readonly isDone: boolean }
}

/** How it ended; `killed` if it did not. */
export type Ending<T> =
  | { readonly kind: "returned"; readonly value: T }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "killed" }

interface Operation {
  readonly actor: number
  readonly due: number
  readonly label: string
  start(): Promise<void>
}

export interface Interleaving<T> {
  readonly endings: readonly Ending<T>[]
  /** Every operation in the order in which the target saw it. */
  readonly steps: readonly string[]
  /** Delivers the requests that killed publishers had sent. */
  arrive(): Promise<void>
}

/**
 * Runs publishers at once so that their targets see one operation after another, in an order that `random` alone
 * decides: each operation waits for its turn, most only briefly, some until the others have done a lot.
 * `onStep` is called after each, with its label.
 */
export async function interleave<T>(
  actors: readonly Actor<T>[],
  random: () => number,
  onStep: (label: string) => Promise<void> = async () => undefined,
): Promise<Interleaving<T>> {
  const waiting: Operation[] = []
  const steps: string[] = []
  const endings: Ending<T>[] = []
  const late: Operation[] = []
  const counts = actors.map(() => 0)
  const isKilled = (actor: number) => (counts[actor] ?? 0) >= (actors[actor]?.killedAfter ?? Infinity)
  // Most operations come immediately. A few, mostly writes, are held until the others have done a lot.
  const likelihood = random() < 0.5 ? 0.02 : 0.15
  const delay = (isWrite: boolean) =>
    random() < (isWrite ? 2 : 0.5) * likelihood ? random() * 250 : random() * 3

  function turned(actor: number, target: PublishTarget): PublishTarget {
    const turn = <R>(label: string, work: () => Promise<R>) =>
      new Promise<R>((done, failed) => {
        waiting.push({
          actor,
          label: `${"ABC"[actor]} ${label}`,
          due: steps.length + delay(!label.startsWith("GET")),
          async start() {
            const { fails } = actors[actor] ?? {}
            if (fails?.at !== counts[actor]) return work().then(done, failed)
            if (fails?.isDone) await work()
            failed(new Failure("a failure that a test wants"))
          },
        })
      })
    return {
      ...target,
      read: (path) => turn(`GET ${path}`, () => target.read(path)),
      write: (file, condition) =>
        turn(`PUT ${file.path}${condition === undefined ? "" : " if"}`, () => target.write(file, condition)),
      remove: (path) => turn(`DELETE ${path}`, () => target.remove(path)),
    }
  }

  actors.forEach(({ target, run }, actor) => {
    run(turned(actor, target)).then(
      (value) => {
        endings[actor] ??= { kind: "returned", value }
      },
      (error) => {
        endings[actor] ??= { kind: "threw", error }
      },
    )
  })
  for (;;) {
    await settled()
    for (const [actor] of actors.entries())
      if (endings[actor] === undefined && isKilled(actor)) {
        endings[actor] = { kind: "killed" }
        for (const operation of take(waiting, actor))
          if (!operation.label.includes("GET") && random() < 0.5) late.push(operation)
      }
    const mayStart = ({ actor }: Operation) => {
      const { startsAfter } = actors[actor] ?? {}
      return startsAfter === undefined || steps.some((step) => step.includes(startsAfter))
    }
    const ready = waiting.filter(mayStart)
    const next = (ready.length > 0 ? ready : waiting).toSorted((one, other) => one.due - other.due)[0]
    if (next === undefined) break
    waiting.splice(waiting.indexOf(next), 1)
    steps.push(next.label)
    counts[next.actor] = (counts[next.actor] ?? 0) + 1
    await next.start()
    await onStep(next.label)
  }
  return {
    endings,
    steps,
    async arrive() {
      for (const { label, start } of late) {
        steps.push(`late ${label}`)
        await start().catch(() => undefined)
      }
      await settled()
    },
  }
}

function take(operations: Operation[], actor: number): readonly Operation[] {
  const taken = operations.filter((operation) => operation.actor === actor)
  for (const operation of taken) operations.splice(operations.indexOf(operation), 1)
  return taken
}

/** Publishers await only their targets, so one turn of the loop brings each to its next operation. */
async function settled(): Promise<void> {
  await new Promise((done) => setImmediate(done))
  await new Promise((done) => setImmediate(done))
}
