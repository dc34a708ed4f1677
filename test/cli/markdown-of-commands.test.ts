// @module-tag system
// @module-tag slow
// @module-tag property
import fc from "fast-check"
import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import { expect, test } from "vitest"
import { anyText } from "../any-text.ts"
import { createProjectRepository, type Outcome } from "../repository.ts"
import { runs } from "../runs.ts"

// Text of authors, wherever they can write one, in all that commands print as Markdown.

const fixed = [
  "x` @octocat see https://evil.example/pay and #1 `y",
  "``` @octocat ``",
  "[a](https://evil.example) ![b](https://evil.example/x.png) <img src=x>",
  "a | b \\| @org/team | c",
  "<!-- flagstone-diff shop --> </code> &#64;octocat www.evil.example a@evil.example",
  "::error::x ##[group]y #1 org/repo#1",
  "\u202e@octocat\u2066 \u0085\u009b31m \u001b[31m",
  "\n\n# @octocat\n\n| a |\n| - |\n",
]
const part = fc.oneof(
  fc.constantFrom(...fixed, ..."` `` | \\ < > @octocat #1 https://evil.example * _ ~~ \n \u202e".split(" ")),
  anyText({ maxLength: 4 }),
)
const hostile = fc
  .array(part, { minLength: 1, maxLength: 4 })
  .map((texts) => texts.join("").replace(/\p{Surrogate}|\0/gu, "?"))

/** What a file system, git and a key file allow in names. */
function nameOf(text: string): string {
  return text.replace(/[\p{C}\p{Z}/]/gu, "-").slice(0, 40)
}

/** What git allows in the name of a tag. */
function tagOf(text: string): string {
  return `t${text.replace(/[^\w`@#|<>!$%&;-]/g, "").slice(0, 40)}`.replaceAll("@{", "@")
}

function flagWith(text: string, other: string, percentage: number) {
  const always = { operator: "always", returnValue: other }
  const isText = { attribute: `a${text}`, operator: "equals", value: text }
  const share = { share: { by: `b${text}`, to: percentage } }
  const production = [
    { all: [isText, share], returnValue: text },
    { attribute: `c${text}`, operator: "in", value: [other, "b"], returnValue: other },
  ]
  return JSON.stringify({
    ...{
      key: "k",
      type: "string",
      name: `n${text}`,
      description: text,
      owner: `o${text}`,
      expires: "2020-01-15",
    },
    defaultValue: text,
    environments: {
      staging: { enabled: true, rules: [always] },
      production: { enabled: true, rules: production },
    },
  })
}

/** A flag that gives the text to everyone. */
function settledWith(text: string): string {
  const environment = { enabled: true, rules: [{ operator: "always", returnValue: text }] }
  const environments = { staging: environment, production: environment }
  return JSON.stringify({ type: "string", owner: text, defaultValue: text, environments })
}

function flagdWith(text: string) {
  const variants = { [text]: text, on: other(text) }
  const targeting = (condition: object) => ({ if: [condition, "on", text] })
  const flag = { state: "ENABLED", variants, defaultVariant: text }
  return JSON.stringify({
    flags: {
      [text]: flag,
      a: { ...flag, targeting: targeting({ "==": [{ var: text }, text] }) },
      b: { ...flag, targeting: targeting({ [text]: [{ var: "x" }, text] }) },
      c: { ...flag, defaultVariant: `z${text}` },
      d: { ...flag, state: "DISABLED" },
    },
  })
}

const key = {
  ...{ id: "web", environment: "production", createdAt: "2026-01-01T00:00:00Z" },
  digest: `sha256:${"0".repeat(64)}`,
}

const other = (text: string) => `${text}2`

/** What each command prints for a project in which the text stands wherever it may. */
async function printed(text: string): Promise<ReadonlyMap<string, Outcome>> {
  const repository = createProjectRepository()
  const name = nameOf(text)
  const file = `flags/${name}/f.yaml`
  repository.write(
    "flags/asks.yaml",
    `defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ flag: k, is: ${JSON.stringify(text)}, returnValue: true }] } }\n`,
  )
  repository.write(`src/${name}.ts`, 'const K = "k"\nget(K)\nflags.getBooleanValue("not-defined", true)\n')
  repository.write(file, flagWith(text, other(text), 60))
  repository.write("flags/settled.yaml", settledWith(text))
  repository.write("f.json", flagdWith(text))
  repository.write("keys.yaml", JSON.stringify({ keys: [{ ...key, owner: nameOf(text) }] }))
  repository.write("contexts.jsonl", `${JSON.stringify({ [`c${text}`]: "b" })}\n`)
  repository.commit(0)
  repository.git("tag", tagOf(text))
  repository.write(file, flagWith(other(text), text, 5))
  const commands = {
    diff: ["diff", tagOf(text), "--contexts", "contexts.jsonl", "--code", "src", "--format", "markdown"],
    stale: ["stale", "--code", ".", "--format", "markdown"],
    usages: ["usages", "--code", "src", "--format", "markdown"],
    remove: ["remove", "k", "--task-only", "--keep", JSON.stringify(text), "--code", "src"],
    promote: ["promote", "--check", "--from", "staging", "--to", "production", "--format", "markdown"],
    keys: ["keys", "list", "--format", "markdown"],
    import: ["import", "flagd", "production=f.json", "--flags", "new", "--dry-run", "--format", "markdown"],
  }
  const outcomes = new Map<string, Outcome>()
  for (const [command, args] of Object.entries(commands))
    outcomes.set(command, await repository.flagstone(args))
  return outcomes
}

/** What GitHub shows outside code, before it looks for mentions, references and links there. */
function outsideCode(markdown: string): string {
  const html = micromark(markdown.replace(/^<!-- flagstone-diff shop -->\n/, ""), {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  })
  return html.replace(/<code>[^<]*<\/code>/g, "")
}

const ours =
  /^<\/?(?:p|strong|h1|h3|ul|li|table|thead|tbody|tr|th|td)>$|^<input type="checkbox" disabled="" ?\/?>$/

async function check(text: string): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = await printed(text)
  for (const [command, { out }] of outcomes) {
    const shown = outsideCode(out)
    const strange = [...shown.matchAll(/<[^>]*>/g)].map(([tag]) => tag).filter((tag) => !ours.test(tag))
    expect({ command, strange }).toEqual({ command, strange: [] })
    expect(shown.replace(/<[^>]*>/g, ""), command).not.toMatch(/[@#]|:\/\/|www\.|evil|octocat|(?!\n)\p{C}/u)
  }
  return outcomes
}

test.each(fixed.map((text) => [text]))("no text leaves its code marks: %j", async (text) => {
  for (const [command, { out, err }] of await check(text)) expect(out, `${command}: ${err}`).not.toBe("")
})

test("the commands print the text", async () => {
  for (const [command, { out, err }] of await printed("seen"))
    expect(out.split("seen").length, `${command}: ${err}`).toBeGreaterThan(
      /usages|keys/.test(command) ? 1 : 2,
    )
})

test("nor does any other", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => void (await check(text))),
    { numRuns: runs(5) },
  )
})
