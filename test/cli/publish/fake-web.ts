import type { Web, WebRequest, WebResponse } from "../../../cli/publish/web.ts"

/** What a server answers: a status, with a body and headers. */
export interface Answer {
  readonly status: number
  readonly body?: string
  readonly headers?: WebResponse["headers"]
}

/** A `Web` whose answers come one after the other, the last again and again, and what was asked of it. */
export function fakeWeb(...answers: readonly (Answer | number)[]) {
  const requests: WebRequest[] = []
  const limits: unknown[] = []
  const pauses: number[] = []
  const web: Web = {
    async request(create, longest) {
      const answer = answers[Math.min(requests.length, answers.length - 1)] ?? 200
      requests.push(await create())
      limits.push(longest)
      const { status, body = "", headers = {} } = typeof answer === "number" ? { status: answer } : answer
      return { status, headers, body: Buffer.from(body) }
    },
    pause: async (tries) => pauses.push(tries),
    close: async () => void pauses.push(Number.NaN),
  }
  return { web, requests, limits, pauses }
}
