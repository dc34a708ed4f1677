import type { H3Event } from "h3"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { withMoment } from "../../sdk/evaluation/with-moment.ts"
import type { Bucket } from "../contract/bucket.ts"
import type { KeyRecord } from "../contract/key-record.ts"
import { createEvaluationQueue } from "../evaluate/evaluation-queue.ts"
import type { Evaluations } from "../evaluate/evaluations.ts"
import { runToEnd } from "../evaluate/run-to-end.ts"
import { shortWork, unitsOf, unitsOfBody } from "../evaluate/work.ts"
import { addressBlock } from "../http/client-address.ts"
import type { HeaderPairs } from "../http/headers.ts"
import { type BodyLimits, bodyOf, createBodyReader } from "../http/read-body.ts"
import { allowanceHeaders, exhaustedHeaders } from "../http/respond.ts"
import { type AdmissionParts, authenticate, noteDenial } from "../keys/authenticate.ts"
import type { LocalRateLimitStore } from "../rate-limit/memory-store.ts"
import type { Allowance } from "../rate-limit/token-bucket.ts"
import { type ParsedContext, parseContext } from "./parse-context.ts"
import { type EvaluateRequest, respondAll, respondError, respondFlagResult } from "./respond.ts"

/** What the route needs. */
export interface EvaluateRouteParts extends AdmissionParts {
  /** One bucket for each key id and client address: if all browsers share a key, none may empty the others' bucket. */
  readonly evaluateLimits: LocalRateLimitStore
  /** For keys without their own bucket. */
  readonly evaluateBucket: Bucket
  /** How many connections have been accepted so far: evaluations let those that wait go first. None by default. */
  readonly connections?: (() => number) | undefined
  /** The attribute that gets the current time if a context lacks it; `undefined`: none. */
  readonly clockAttribute?: string | undefined
  /** Signs the addresses of event streams for a key's clients that have this tag, as JSON; `undefined`: none. */
  readonly eventStreamsOf?: ((record: KeyRecord, tag: string) => string) | undefined
}

/** Answers both operations of OFREP. */
export type EvaluateRoute = (request: EvaluateRequest) => Promise<Response>

/** The body is read last, so a client that has no key, asks too often or has no flags here costs only its headers. */
export function createEvaluateRoute(parts: EvaluateRouteParts): EvaluateRoute {
  const readBody = createBodyReader(bodyLimits, parts.monotonicNow)
  const queue = createEvaluationQueue(parts.monotonicNow, parts.connections)
  return async (request) => {
    const { event } = request
    const caller = authenticate(credentialsOf(event), parts.keyring(), "evaluate", parts.now())
    if (caller.kind === "denied") {
      const allowance = noteDenial(event, caller.denial, parts)
      if (allowance.kind === "exhausted")
        return respondError(request, "tooManyRequests", exhaustedHeaders(allowance))
      return caller.denial === "for another use"
        ? respondError(request, "forbidden", [], "GENERAL", "This API key is only for reading flags")
        : respondError(request, "unauthorized", [["www-authenticate", "Bearer"]])
    }

    const { record } = caller.key
    event.context.keyId = record.id
    const address = addressBlock(parts.clientAddress(event))
    const bucket = record.rateLimit ?? parts.evaluateBucket
    const allowance = parts.evaluateLimits.take(`${record.id} ${address}`, bucket, parts.monotonicNow())
    if (allowance.kind === "exhausted")
      return respondError(request, "tooManyRequests", exhaustedHeaders(allowance))

    const evaluations = parts.generation().find(record)?.evaluations?.only(record.flags)
    if (evaluations === undefined) return respondUnavailable(request, allowance)

    const body = await readBody(bodyOf(event), event.req.headers.get("content-length"), address)
    if (body.kind === "too long") return respondError(request, "contentTooLarge", allowanceHeaders(allowance))
    // The rest of it may still arrive, so no other request can follow.
    if (body.kind === "too slow")
      return respondError(request, "requestTimeout", [
        ["connection", "close"],
        ...allowanceHeaders(allowance),
      ])
    if (body.kind !== "whole") return respondUnavailable(request, allowance)
    const asked: Asked = {
      request,
      evaluations,
      body: body.bytes,
      allowance,
      complete: (context) => withMoment(context, parts.clockAttribute, parts.now()),
      eventStreams: () => parts.eventStreamsOf?.(record, evaluations.tag),
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
  readonly request: EvaluateRequest
  readonly evaluations: Evaluations
  readonly body: Buffer
  readonly allowance: Allowance
  readonly complete: (context: Context) => Context
  readonly eventStreams: () => string | undefined
}

/** Answers if the work is known to be short; `undefined`: it must take turns with others. */
function answerShort(asked: Asked): Response | undefined {
  const { request, evaluations, body } = asked
  const units = unitsOfBody(body.length)
  if (units > shortWork) return undefined
  const parsed = parseContext(body, evaluations.limits)
  if (parsed.kind === "context" && units + unitsOf(evaluations.workOf(request.key), parsed.bytes) > shortWork)
    return undefined
  return runToEnd(answer(asked, parsed))
}

/** Pauses where it yields. The body is parsed in its turn: while it waits, a context would take many times its room. */
function* answerInTurns(asked: Asked): Generator<void, Response> {
  const { request, evaluations, body, allowance } = asked
  if (request.event.req.signal.aborted) return respondUnavailable(request, allowance) // the client has gone away
  return yield* answer(asked, parseContext(body, evaluations.limits))
}

function* answer(
  { request, evaluations, allowance, complete, eventStreams }: Asked,
  parsed: ParsedContext,
): Generator<void, Response> {
  if (parsed.kind === "invalid")
    return respondError(
      request,
      "badRequest",
      allowanceHeaders(allowance),
      parsed.errorCode,
      parsed.errorDetails,
    )
  const context = complete(parsed.context)
  if (request.key === undefined)
    return respondAll(
      request,
      yield* evaluations.all(context, parsed.bytes),
      evaluations.metadata,
      eventStreams(),
      allowance,
    )
  const result = yield* evaluations.one(request.key, context, parsed.bytes)
  return result === undefined
    ? respondError(request, "flagNotFound", allowanceHeaders(allowance), "FLAG_NOT_FOUND")
    : respondFlagResult(request, result, evaluations.metadata, allowance)
}

/** 503 if the key's environment has no snapshot, or there is no room for the body. */
function respondUnavailable(request: EvaluateRequest, allowance: Allowance): Response {
  const headers: HeaderPairs = [["retry-after", "10"], ...allowanceHeaders(allowance)]
  return respondError(request, "unavailable", headers)
}

/** `X-API-Key` is OFREP's alternative way to send a key. It counts if there is no `Authorization`. */
function credentialsOf({ req: { headers } }: H3Event): string | null {
  const authorization = headers.get("authorization")
  if (authorization !== null) return authorization
  const apiKey = headers.get("x-api-key")
  return apiKey === null ? null : `Bearer ${apiKey}`
}

const bodyLimits: BodyLimits = { longest: 64 * 1024, room: 32 * 1024 * 1024, time: 5_000 }
