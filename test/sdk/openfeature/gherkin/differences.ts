import { expect } from "vitest"
import type { Application } from "./application.ts"
import testFlags from "./test-flags.json" with { type: "json" }

/** A step on which Flagstone differs, and what it does instead. */
export interface Difference {
  /** The sentence in the table of this folder's README. */
  readonly sentence: string
  /** The provider that differs; `undefined`: all. */
  readonly provider?: "OFREPProvider" | "Go"
  readonly scenario: RegExp
  readonly step: RegExp
  readonly instead: (app: Application) => void | Promise<void>
}

const anything = /(?:)/

/** The whole list: every other step of every scenario holds. */
export const differences: readonly Difference[] = [
  {
    sentence: "the id of the rule that gave the value, or `default`: values have no names",
    scenario: anything,
    step: /^the variant should be/,
    instead: ({ details }) => expect(details?.variant).toBe("default"),
  },
  {
    sentence: "the document's, the same for all flags: `flagSetId` and `version`",
    scenario: anything,
    step: /^the resolved metadata should contain/,
    instead: ({ details }) =>
      expect(Object.keys(details?.flagMetadata ?? {})).toEqual(["flagSetId", "version"]),
  },
  {
    sentence: "the same as the first time: no value comes from a cache",
    scenario: anything,
    step: /^the reason should be "CACHED"/,
    instead: ({ details }) => expect(details?.reason).toBe("STATIC"),
  },
  {
    sentence: "the flag's own default, with `DEFAULT`",
    scenario: /^DISABLED reason$/,
    step: /^the (resolved details value|reason) should be/,
    instead({ details, question }) {
      const flag: { readonly variants: object; readonly defaultVariant?: string | null } | undefined =
        Object.entries(testFlags).find(([key]) => key === question.key)?.[1]
      const own = Object.entries(flag?.variants ?? {}).find(([name]) => name === flag?.defaultVariant)?.[1]
      expect(details).toMatchObject({ value: own, reason: "DEFAULT" })
    },
  },
  {
    sentence: "the caller's own answer: a change of it changes no later one",
    provider: "Go",
    scenario: anything,
    step: /^the evaluation details should be immutable$/,
    async instead(app) {
      // The application in Go has changed what it got.
      expect((await app.client.evaluate(app)).flagMetadata).not.toHaveProperty("changed")
    },
  },
  {
    sentence: "immutable metadata, as requirement 1.4.15.1 asks; the rest is the SDK's",
    scenario: anything,
    step: /^the evaluation details should be immutable$/,
    instead: ({ details }) => expect(Object.isFrozen(details?.flagMetadata)).toBe(true),
  },
  {
    sentence: "always `READY`: `OFREPProvider` sends no request at its start",
    provider: "OFREPProvider",
    scenario: anything,
    step: /^the provider status should be "(NOT_READY|ERROR|FATAL|STALE)"/,
    instead: ({ client }) => expect(client.status).toBe("READY"),
  },
  {
    sentence: "`GENERAL` for each evaluation",
    provider: "OFREPProvider",
    scenario: anything,
    step: /^the error-code should be "PROVIDER_(NOT_READY|FATAL)"/,
    instead: ({ details }) => expect(details?.errorCode).toBe("GENERAL"),
  },
]
