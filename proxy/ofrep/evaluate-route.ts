import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { withMoment } from "../../sdk/evaluation/with-moment.ts"
import type { Bucket } from "../contract/bucket.ts"
import { createEvaluationQueue } from "../evaluate/evaluation-queue.ts"
import type { Evaluations } from "../evaluate/evaluations.ts"
import { shortWork, unitsOf, unitsOfBody } from "../evaluate/work.ts"
import { addressBlock } from "../http/client-address.ts"
import { oneLine, type ProxyRequest } from "../http/exchange.ts"
import type { Answer } from "../http/h3-app.ts"
import { type BodyLimits, createBodyReader } from "../http/read-body.ts"
import { authenticate } from "../keys/authenticate.ts"
import type { Keyring } from "../keys/keyring.ts"
import type { LocalRateLimitStore, RateLimitStore } from "../rate-limit/memory-store.ts"
import type { Allowance } from "../rate-limit/token-bucket.ts"
import type { Generation } from "../snapshots/generation.ts"
import { type ParsedContext, parseContext } from "./parse-context.ts"
import {
  type EvaluateReply,
  respondAll,
  respondBadRequest,
  respondDenied,
  respondFlagNotFound,
  respondFlagResult,
  respondTooLong,
  respondTooManyRequests,
  respondTooSlow,
  respondUnavailable,
} from "./respond.ts"

/** What the route needs. The getters return the current state. */
export interface EvaluateRouteParts {
  readonly keyring: () => Keyring
  readonly generation: () => Generation
  /** One bucket for each key id and client address: if all browsers share a key, none may empty the others' bucket. */
  readonly evaluateLimits: RateLimitStore
  /** For keys without their own bucket. */
  readonly evaluateBucket: Bucket
  /** One bucket for each client address; failed authentication draws on it. */
  readonly strangerLimits: LocalRateLimitStore
  readonly strangerBucket: Bucket
  /** `undefined` if there is no socket. */
  readonly clientAddress: (request: ProxyRequest) => string | undefined
  /** Milliseconds since the epoch, for the keys' times. */
  readonly now: () => number
  /** Monotonic clock, in milliseconds, for the buckets. */
  readonly monotonicNow: () => number
  /** The attribute that gets the current time if a context lacks it; `undefined`: none. */
  readonly clockAttribute?: string | undefined
  /** Signs the addresses of event streams for a key's clients that have this tag, as JSON; `undefined`: none. */
  readonly eventStreamsOf?: ((keyId: string, tag: string) => string) | undefined
}

/** Answers both operations of OFREP. */
export type EvaluateRoute = (reply: EvaluateReply) => Promise<Answer>

/** The body is read last, so a client that has no key, asks too often or has no flags here costs only its headers. */
export function createEvaluateRoute(parts: EvaluateRouteParts): EvaluateRoute {
  const readBody = createBodyReader(bodyLimits)
  const queue = createEvaluationQueue(parts.monotonicNow)
  return async (reply) => {
    const { request } = reply
    const caller = authenticate(credentialsOf(request), parts.keyring(), "evaluate", parts.now())
    const address = addressBlock(parts.clientAddress(request))
    if (caller.kind === "denied") {
      request.exchange.denial = caller.denial
      const allowance = parts.strangerLimits.take(address, parts.strangerBucket, parts.monotonicNow())
      return allowance.kind === "exhausted"
        ? respondTooManyRequests(reply, allowance)
        : respondDenied(reply, caller.denial)
    }

    const { record } = caller.key
    request.exchange.keyId = record.id
    const bucket = record.rateLimit ?? parts.evaluateBucket
    const taken = parts.evaluateLimits.take(`${record.id} ${address}`, bucket, parts.monotonicNow())
    const allowance = taken instanceof Promise ? await taken : taken
    if (allowance.kind === "exhausted") return respondTooManyRequests(reply, allowance)

    const evaluations = parts.generation().find(record)?.evaluations?.only(record.flags)
    if (evaluations === undefined) return respondUnavailable(reply, allowance)

    const body = await readBody(request.body, request.headers["content-length"], address)
    if (body.kind === "too long") return respondTooLong(reply, allowance)
    if (body.kind === "too slow") return respondTooSlow(reply, allowance)
    if (body.kind !== "whole") return respondUnavailable(reply, allowance)
    const asked: Asked = {
      reply,
      evaluations,
      body: body.bytes,
      allowance,
      complete: (context) => withMoment(context, parts.clockAttribute, parts.now()),
      eventStreams: () => parts.eventStreamsOf?.(record.id, evaluations.tag),
    }
    try {
      return answerShort(asked) ?? (await queue.run(address, answerInTurns(asked)))
    } finally {
      body.release()
    }
  }
}

/** An admitted request whose body has been read. */
interface Asked {
  readonly reply: EvaluateReply
  readonly evaluations: Evaluations
  readonly body: Buffer
  readonly allowance: Allowance
  readonly complete: (context: Context) => Context
  readonly eventStreams: () => string | undefined
}

/** Answers if the work is known to be short; `undefined`: it must take turns with others. */
function answerShort(asked: Asked): Answer | undefined {
  const { reply, evaluations, body } = asked
  const units = unitsOfBody(body.length)
  if (units > shortWork) return undefined
  const parsed = parseContext(body, evaluations.limits)
  if (parsed.kind === "context" && units + unitsOf(evaluations.workOf(reply.key), parsed.bytes) > shortWork)
    return undefined
  const steps = answer(asked, parsed)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Pauses where it yields. The body is parsed in its turn: while it waits, a context would take many times its room. */
function* answerInTurns(asked: Asked): Generator<void, Answer> {
  const { reply, evaluations, body, allowance } = asked
  if (reply.request.peer.destroyed) return respondUnavailable(reply, allowance) // the client has gone away
  return yield* answer(asked, parseContext(body, evaluations.limits))
}

function* answer(
  { reply, evaluations, allowance, complete, eventStreams }: Asked,
  parsed: ParsedContext,
): Generator<void, Answer> {
  if (parsed.kind === "invalid")
    return respondBadRequest(reply, parsed.errorCode, parsed.errorDetails, allowance)
  const context = complete(parsed.context)
  if (reply.key === undefined)
    return respondAll(reply, yield* evaluations.all(context), eventStreams(), allowance)
  const result = evaluations.one(reply.key, context)
  return result === undefined
    ? respondFlagNotFound(reply, allowance)
    : respondFlagResult(reply, result, allowance)
}

/** `X-API-Key` is OFREP's alternative way to send a key. It counts if there is no `Authorization`. */
function credentialsOf({ headers }: ProxyRequest): string | undefined {
  const apiKey = oneLine(headers["x-api-key"])
  return headers.authorization ?? (apiKey === undefined ? undefined : `Bearer ${apiKey}`)
}

const bodyLimits: BodyLimits = { longest: 64 * 1024, room: 32 * 1024 * 1024, time: 5_000 }
