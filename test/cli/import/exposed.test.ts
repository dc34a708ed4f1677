import { expect, test } from "vitest"
import { plainPhrase } from "../../../cli/diagnostics/phrase.ts"
import { exposedIn } from "../../../cli/import/exposed.ts"

const found = (...texts: readonly string[]) =>
  exposedIn(texts.map((text) => ({ path: "a.yaml", text }))).map(
    ({ text, detail }) => `${text.split(":")[0]}: ${plainPhrase(detail).replaceAll("`", "")}`,
  )
const tail = "0123456789abcdef"

test.each([
  ...["sk_live_", "rk_test_", "AKIA", "ASIA", "ghp_", "ghs_", "github_pat_", "glpat-", "xoxb-", "AIza"],
])("%s begins a secret", (start) => {
  expect(found(`value: ${start}${tail}`)).toEqual([`what looks like a secret is written: ${start}…`])
  expect(found(`value: ${start}${tail.slice(0, 15)}`)).toEqual([])
  expect(found(`value: ${start}${"x".repeat(20)}`)).toEqual([]) // no digit
  expect(found(`value: x${start}${tail}`)).toEqual([])
})

test.each([
  ["sdk-01234567-89ab-cdef", ["what looks like a secret is written: sdk-…"]],
  ["-----BEGIN RSA PRIVATE KEY", ["what looks like a secret is written: -----BEGIN RSA PRIVATE KEY…"]],
  ["sdk-evaluation", []],
  [
    "ann@x.example, bob+1@mail.x.example",
    [
      "e-mail addresses are written, and stay in git's history once you commit: ann@x.example, bob+1@mail.x.example",
    ],
  ],
  ["@x.example ann@localhost a@b", []],
])("in %s are exposed: %j", (text, expected) => {
  expect(found(text)).toEqual(expected)
})

test("what several files have is named once, and only the first five", () => {
  expect(found("a@x.example", "a@x.example b@x.example")).toEqual([
    "e-mail addresses are written, and stay in git's history once you commit: a@x.example, b@x.example",
  ])
  const [said] = found(...Array.from("abcdef", (name) => `${name}@x.example`))
  expect(said).toMatch(/e@x\.example.*1 more$/)
  expect(said).not.toContain("f@")
})
