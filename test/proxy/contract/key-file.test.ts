// @module-tag property
import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { maxKeyFileLength, parseKeyFile, parseKeyRecords } from "../../../proxy/contract/key-file.ts"
import type { KeyRecord } from "../../../proxy/contract/key-record.ts"
import { anyText } from "../../any-text.ts"
import { runs } from "../../runs.ts"
import { mintKey } from "../fixtures.ts"

const digest = "5f".repeat(32)
const otherDigest = "a0".repeat(32)
const digestOf = (at: number) => `sha256:${at.toString(16).padStart(64, "0")}`
const secret = `fsk_${"VdNv1mxWi59VUWO8rG6W3D0HYLk885IIh9j5Mt7Yo2Y2DEEic"}` // in two parts, because `lint` looks for whole ones

const whole = `keys:
  - id: web-production
    environment: production
    digest: sha256:${digest}
    createdAt: 2026-11-21T10:00:00.000Z
`

/** The file above with more lines in its one key. */
const withLines = (...lines: readonly string[]) => whole + lines.map((line) => `    ${line}\n`).join("")

/** The file above with a member's value replaced. */
const withValue = (member: string, value: string) =>
  whole.replace(new RegExp(`${member}: .*`), () => `${member}: ${value}`)

/** The file above with a second key. */
const withSecond = (id: string, hex: string) =>
  `${whole}  - { id: ${id}, environment: staging, digest: "sha256:${hex}", createdAt: 2026-11-21T10:00:00Z }\n`

function reasonOf(text: string): string {
  const parsed = parseKeyRecords(text)
  return parsed.kind === "invalid" ? parsed.reason : ""
}

test("reads a key with the members it must have", () => {
  expect(parseKeyRecords(whole)).toEqual({
    kind: "valid",
    value: [
      {
        id: "web-production",
        project: undefined,
        environment: "production",
        for: undefined,
        flags: undefined,
        digest,
        createdAt: Date.UTC(2026, 10, 21, 10),
        notBefore: undefined,
        expiresAt: undefined,
        revokedAt: undefined,
        owner: undefined,
        rateLimit: undefined,
      },
    ],
  })
})

test("reads when a published file was sent, and where to", () => {
  const text = `publishedAt: 2026-11-21T10:00:00.000Z\ntarget: https://flags.example/shop\n${whole}`
  expect(parseKeyFile(text)).toMatchObject({
    kind: "valid",
    value: {
      publishedAt: Date.UTC(2026, 10, 21, 10),
      target: "https://flags.example/shop",
      keys: [{ id: "web-production" }],
    },
  })
  expect(parseKeyFile(text.replace("10:00:00.000Z", "25:00:00Z"))).toMatchObject({ kind: "invalid" })
  expect(parseKeyFile(`target: ${"x".repeat(1025)}\n`)).toMatchObject({ kind: "invalid" })
})

test("reads every member, comments between them, and any layout of YAML", () => {
  const text = `# who may read
%keys%: [
  { "id": 'a', environment: production, for: evaluate, digest: "sha256:${digest}", # quoted or not
    createdAt: "2026-11-21T10:00:00.000Z", notBefore: 2026-12-01T00:00:00Z, expiresAt: 2027-11-21T10:00:00Z,
    revokedAt: 2026-11-30T00:00:00Z, owner: Zoë (checkout), rateLimit: { capacity: 1000, refillPerSecond: 0.5 } } ]
`.replace("%keys%", "keys")
  expect(parseKeyRecords(text)).toEqual({
    kind: "valid",
    value: [
      {
        id: "a",
        environment: "production",
        for: "evaluate",
        digest,
        createdAt: Date.UTC(2026, 10, 21, 10),
        notBefore: Date.UTC(2026, 11, 1),
        expiresAt: Date.UTC(2027, 10, 21, 10),
        revokedAt: Date.UTC(2026, 10, 30),
        owner: "Zoë (checkout)",
        rateLimit: { capacity: 1000, refillPerSecond: 0.5 },
      },
    ],
  })
})

describe("a file without a key", () => {
  test.each(["", "\n", "# nothing yet\n", "keys:", "keys: []\n", "keys: ~\n", "{}", "---\n", "\ufeff"])(
    "%j has no key, which is not a mistake",
    (text) => expect(parseKeyRecords(text)).toEqual({ kind: "valid", value: [] }),
  )
})

describe("mistakes", () => {
  test.each([
    [
      "an unknown field",
      withLines("scope: all"),
      /^6:5: unknown field; only id, project, environment, for, flags, digest/,
    ],
    [
      "a misspelt root",
      whole.replace("keys:", "key:"),
      /^1:1: unknown field; only publishedAt, target, keys are allowed here/,
    ],
    ["__proto__", withLines("__proto__: { owner: x }"), /^6:5: unknown field/],
    ["a merge", withLines("<<: { owner: x }"), /^6:5: unknown field/],
    [
      "a member twice",
      withLines("id: web-2"),
      /^6:5: `id` is written twice; remove one \(first on line 2\)$/,
    ],
    [
      "an id twice",
      withSecond("web-production", otherDigest),
      /^6:7: two keys have this id.*\(first on line 2\)$/,
    ],
    ["a digest twice", withSecond("web-2", digest), /^6:40: two keys have this digest.*\(first on line 4\)$/],
    ["no digest", whole.replace(/ +digest.*\n/, ""), /^2:5: `digest` is missing$/],
    ["no value", withLines("owner:"), /^6:11: an owner is one line/],
    ["no value in braces", "keys: [{ id }]", /^1:10: `id` has no value here/m],
    [
      "a short digest",
      withValue("digest", "sha256:5f5f"),
      /^4:13: a digest is sha256: and 64 lower-case hex digits/,
    ],
    ["an id of spaces", withValue("id", "web production"), /^2:9: an id has up to 128 letters/],
    ["an id that is a number", withValue("id", "7"), /^2:9: an id has/],
    ["an id like a secret", withValue("id", "fsk_web"), /^2:9: an id has/],
    ["an environment that is reserved", withValue("environment", "manifest"), /^3:18: an environment has/],
    ["an invalid use", withLines("for: write"), /^6:10: a key is for read or for evaluate; without/],
    ["a date for a time", withValue("createdAt", "2026-11-21"), /^5:16: a time is written in UTC/],
    [
      "a time elsewhere",
      withValue("createdAt", "2026-11-21T10:00:00+01:00"),
      /^5:16: a time is written in UTC/,
    ],
    ["a number for a time", withLines("revokedAt: 1795255200000"), /^6:16: a time is/],
    [
      "an end before the start",
      withLines("expiresAt: 2026-11-21T10:00:00Z"),
      /^6:5: the key expires before it was created/,
    ],
    [
      "an end before notBefore",
      withLines("notBefore: 2027-02-01T00:00:00Z", "expiresAt: 2027-01-01T00:00:00Z"),
      /^7:5: the key expires before its notBefore/,
    ],
    ["an owner of two lines", withLines('owner: "a\\nb"'), /^6:12: an owner is one line/],
    ["an owner that draws", withLines('owner: "\\e[2J"'), /^6:12: an owner is one line/],
    [
      "a limit in words",
      withLines("rateLimit: 100/10"),
      /^6:16: this must be a mapping of capacity, refillPerSecond$/,
    ],
    ["half a limit", withLines("rateLimit: { capacity: 1 }"), /^6:16: `refillPerSecond` is missing$/],
    [
      "no capacity",
      withLines("rateLimit: { capacity: 0, refillPerSecond: 1 }"),
      /^6:28: a capacity is a whole number/,
    ],
    ["half a token", withLines("rateLimit: { capacity: 1.5, refillPerSecond: 1 }"), /^6:28: a capacity is/],
    ["no refill", withLines("rateLimit: { capacity: 1, refillPerSecond: 0 }"), /^6:48: a refillPerSecond is/],
    [
      "endless refill",
      withLines("rateLimit: { capacity: 1, refillPerSecond: .inf }"),
      /^6:48: a refillPerSecond is/,
    ],
    [
      "flags of a key that may read",
      withLines("flags: [a]"),
      /^6:5: only a key that is `for: evaluate` can have `flags`/,
    ],
    [
      "flags without a list",
      withLines("for: evaluate", "flags: a"),
      /^7:12: flags are a list of 1 to 100 globs/,
    ],
    ["no flags", withLines("for: evaluate", "flags: []"), /^7:12: flags are/],
    ["an invalid flag", withLines("for: evaluate", 'flags: [a, "b c"]'), /^7:12: flags are/],
    ["too many flags", withLines("for: evaluate", `flags: [${"a, ".repeat(100)}a]`), /^7:12: flags are/],
    ["a mapping for the list", "keys: { id: a }", /^1:7: `keys` must be a list$/],
    ["a text for a file", "keys", /^1:1: this must be a mapping of publishedAt, target, keys$/],
    ["no YAML", `${whole}   ]`, /^\d+:\d+: not valid YAML for a key file: /],
    ["two documents", `${whole}---\n${whole}`, /^6:1: not valid YAML for a key file: multiple docs$/],
    ["a tag", withValue("id", "!name web"), /^2:9: not valid YAML for a key file: tag resolve failed$/],
    ["a cycle", "keys: &a [*a]", /^1:11: this must be a mapping of id/],
    ["YAML 1.1", `%YAML 1.1\n---\n${withValue("createdAt", "2026-11-21")}`, /^7:16: a time is/],
  ])("%s", (_what, text, reason) => {
    expect(reasonOf(text)).toMatch(reason)
    expect(parseKeyRecords(text).kind).toBe("invalid")
  })

  test("are reported together, the first five, in the order of the file", () => {
    expect(reasonOf("keys:\n- id: 1\n  owner: 2\n- id: 3\n").split("\n")).toEqual([
      "2:3: `environment` is missing",
      "2:3: `digest` is missing",
      "2:3: `createdAt` is missing",
      expect.stringMatching(/^2:7: an id has/),
      expect.stringMatching(/^3:10: an owner is/),
      "and 4 more",
    ])
  })
})

describe("a secret in the file", () => {
  test("is found if the file has nothing else", () => {
    expect(parseKeyRecords(mintKey().secret)).toMatchObject({
      reason: expect.stringMatching(/^1:1: a secret, visible to everyone who reads this file/),
    })
  })

  test.each([
    ["for the digest", withValue("digest", secret), "4:13"],
    ["for the id", withValue("id", secret), "2:9"],
    ["for a member", withLines(`${secret}: x`), "6:5"],
    ["in a comment", `${whole}# ${secret}\n`, "6:3"],
    ["in a text that is not YAML", `keys: ]\n${secret}`, "1:7"],
    ["without its end", withValue("digest", secret.slice(0, 30)), "4:13"],
  ])("%s is said plainly and not repeated", (_what, text, place) => {
    const reason = reasonOf(text)
    expect(reason).toContain(`${place}: `)
    expect(reason).toMatch(
      /a secret, visible to everyone who reads this file; remove it, revoke that key and create a new one/,
    )
    expect(reason).not.toContain("fsk_")
  })

  test("is not repeated, and neither is a digest, whatever is wrong around it", () => {
    const damage = fc.record({
      at: fc.nat(whole.length),
      text: fc.constantFrom(..."\n\t \"'[]{}:,*&!|>%@`-#\\"),
      cut: fc.nat(3),
    })
    fc.assert(
      fc.property(fc.boolean(), fc.array(damage, { minLength: 1, maxLength: 4 }), (pasted, damages) => {
        const text = damages.reduce(
          (before, { at, text, cut }) => before.slice(0, at) + text + before.slice(at + cut),
          pasted ? withValue("digest", secret) : whole,
        )
        const reason = reasonOf(text)
        expect(reason).not.toMatch(/fsk_|5f5f5f|VdNv1/)
      }),
      { numRuns: runs(60) },
    )
  })
})

describe("hostile files", () => {
  test("10 MB are refused unread", () => {
    expect(reasonOf("x".repeat(10_000_000))).toBe("1:1: not a key file: longer than 1048576 characters")
  })

  test.each(["[", '"', "{", "- ", "&a ", "*a ", "! ", "? ", "a: ", "a:\n", "[a,", "keys: []\n"])(
    "1 MiB of `%s` is refused before it is parsed, which would take a gigabyte",
    (piece) => {
      const text = piece.repeat(maxKeyFileLength / piece.length)
      expect(reasonOf(text)).toBe("1:1: not a key file: too much punctuation")
    },
  )

  test.each([
    [
      "every member, as short as can be",
      (at: number) =>
        `- {id: a${at}, environment: p, project: s, digest: "${digestOf(at)}", createdAt: 2026-11-21T10:00:00Z, expiresAt: 2027-11-21T10:00:00Z, owner: o, rateLimit: {capacity: 5, refillPerSecond: 5}}\n`,
    ],
    [
      "a line for each",
      (at: number) =>
        `  -\n    id: a${at}\n    environment: p\n    digest: ${digestOf(at)}\n\n    # c\n    createdAt: 2026-11-21T10:00:00Z\n    rateLimit:\n      capacity: 5\n      refillPerSecond: 5\n`,
    ],
  ])("4,000 keys are not taken for that: %s", { tags: ["slow"] }, (_what, keyOf) => {
    const text = `keys:\n${Array.from({ length: 4_000 }, (_, at) => keyOf(at)).join("")}`
    expect(parseKeyRecords(text)).toMatchObject({ kind: "valid", value: { length: 4_000 } })
  })

  test.each([
    ["deep brackets", `keys: ${"[".repeat(200_000)}`],
    ["deep lists", "- ".repeat(200_000)],
    ["many members", Array.from({ length: 90_000 }, (_, index) => `a${index}: 1\n`).join("")],
    ["many keys that are none", `keys:\n${"- 1\n".repeat(200_000)}`],
    [
      "a bomb of aliases",
      `a: &a [x, x]\n${Array.from({ length: 26 }, (_, i) => `b${i}: &b${i} [*${i === 0 ? "a" : `b${i - 1}`}, *${i === 0 ? "a" : `b${i - 1}`}]\n`).join("")}keys: *b25\n`,
    ],
  ])("%s end soon, with a reason", (_what, text) => {
    expect(reasonOf(text)).not.toBe("") // anything slower than linear does not end within the time of a test
  })

  test("no text makes it throw", () => {
    const pieces = fc.constantFrom(
      "keys:",
      "\n",
      "  - ",
      "id: a",
      "{",
      "}",
      "[",
      "]",
      "*a",
      "&a ",
      "? ",
      ": ",
      "<<: ",
      "!!set ",
      "|\n",
      "---\n",
      "\u0000",
      "\ufeff",
      "%YAML 9\n",
      "'",
      '"\\x',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          anyText(),
          fc.array(pieces).map((all) => all.join("")),
        ),
        (text) => {
          expect(["valid", "invalid"]).toContain(parseKeyRecords(text).kind)
        },
      ),
      { numRuns: runs(125) },
    )
  })
})

describe("a file that was damaged in one place", () => {
  const [created, revoked] = ["2026-11-21T10:00:00.000Z", "2026-11-22T10:00:00.000Z"]
  const bucket = { capacity: 5, refillPerSecond: 2 }
  const keys: readonly { readonly text: string; readonly record: Partial<KeyRecord> }[] = [
    {
      text: `  - id: web\n    environment: production\n    digest: ${digestOf(1)}\n    createdAt: ${created}\n    revokedAt: ${revoked}\n`,
      record: { id: "web", environment: "production", revokedAt: Date.parse(revoked ?? "") },
    },
    {
      text: `  - id: app\n    project: shop\n    environment: staging\n    digest: ${digestOf(2)}\n    createdAt: ${created}\n    expiresAt: ${revoked}\n`,
      record: { id: "app", project: "shop", environment: "staging", expiresAt: Date.parse(revoked ?? "") },
    },
    {
      text: `  - id: batch\n    environment: qa\n    digest: ${digestOf(3)}\n    createdAt: ${created}\n    owner: team-batch\n    rateLimit: { capacity: 5, refillPerSecond: 2 }\n`,
      record: { id: "batch", environment: "qa", owner: "team-batch", rateLimit: bucket },
    },
  ]
  const absent = {
    ...{ project: undefined, for: undefined, flags: undefined, notBefore: undefined, expiresAt: undefined },
    ...{ revokedAt: undefined, owner: undefined, rateLimit: undefined },
  }
  const records = keys.map(({ record }, at) => ({
    ...{ ...absent, digest: digestOf(at + 1).slice("sha256:".length), createdAt: Date.parse(created ?? "") },
    ...record,
  }))
  const text = `keys:\n${keys.map((key) => key.text).join("")}`
  const isKept = (key: KeyRecord) => records.some((record) => isDeepStrictEqual(record, key))

  test("is good without damage", () => {
    expect(parseKeyRecords(text)).toEqual({ kind: "valid", value: records })
  })

  test("is refused, or has fewer or different keys at the damage, never elsewhere; no reason quotes it", () => {
    const junk = fc.oneof(
      anyText({ maxLength: 20 }),
      fc.constantFrom("", "#", "\n", '"', "'", "|", "\n...\n", "\n---\n", "&a ", "*a", "- ", "  ", "{", "["),
    )
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(40), junk, (at, removed, put) => {
        const parsed = parseKeyRecords(text.slice(0, at) + put + text.slice(at + removed))
        if (parsed.kind === "invalid") {
          expect(parsed.reason).not.toMatch(/0000000|team-batch/)
          return
        }
        const touched = keys.filter((key) => {
          const start = text.indexOf(key.text)
          return at <= start + key.text.length && start <= at + removed
        })
        expect(parsed.value.filter((key) => !isKept(key)).length).toBeLessThanOrEqual(touched.length)
        expect(parsed.value.length).toBeLessThanOrEqual(keys.length)
      }),
      { numRuns: runs(60) },
    )
  })
})
