// @module-tag system
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"

const root = resolve(import.meta.dirname, "../..")

/** What a command line loads: packages by name, our own files by path, and the Node modules that these import. */
function loaded(args: readonly string[]): readonly string[] {
  const hooks = `import { registerHooks } from "node:module"
    import { writeSync } from "node:fs"
    const tell = (text) => writeSync(2, "\\nloads " + text + "\\n")
    registerHooks({
      load(url, context, next) { tell(url); return next(url, context) },
      resolve(name, context, next) {
        const isOurs = name.startsWith("node:") && !context.parentURL?.includes("/node_modules/")
        if (isOurs) tell("file://" + ${JSON.stringify(root)} + "/" + name)
        return next(name, context)
      },
    })`
  const { stderr } = spawnSync(
    process.execPath,
    [
      "--import",
      `data:text/javascript,${encodeURIComponent(hooks)}`,
      join(root, "cli/flagstone.js"),
      ...args,
    ],
    { cwd: root, encoding: "utf8" },
  )
  const urls = [...stderr.matchAll(/^loads file:\/\/(.*)$/gm)].map(([, path = ""]) => path)
  const names = urls.map(
    (path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path.slice(root.length + 1),
  )
  return [...new Set(names)]
}

const packages = (names: readonly string[]) =>
  names.filter((name) => !/^((cli|proxy|sdk)\/|node:)/.test(name))

/** The Node modules that take milliseconds to load; Node itself takes 25. */
const slow = /^node:(child_process|crypto|process|util|v8|vm|zlib)$/

test.each(["--version", "--help", "lnit", "keys --help"])("%s loads no command", (line) => {
  const names = loaded(line.split(" "))
  expect(packages(names)).toEqual(["commander"])
  const shared =
    /^(cli\/(diagnostics\/(mask-secrets|printable|relative-path|suggest|workflow-commands)|reading\/files\/file-names|project\/locate-flags)|proxy\/contract\/secret-form)\.ts$/
  const ours = names.filter((name) => /^(cli\/\w+\/|proxy\/|sdk\/)/.test(name))
  expect(ours.filter((name) => !shared.test(name))).toEqual([])
  expect(names.filter((name) => slow.test(name))).toEqual([])
})

test("lint of a project without mistakes loads neither a build nor a server", () => {
  const names = loaded(["lint"])
  expect(names).toContain("cli/commands/lint.ts")
  expect(packages(names).sort()).toEqual(["@noble/hashes", "commander", "js-yaml"])
  // For the ids of rules, and the checksums of API keys.
  expect(names.filter((name) => slow.test(name)).sort()).toEqual(["node:crypto", "node:zlib"])
  const others = /^(proxy\/(?!contract)|cli\/(diff|history|publish|keys))/
  expect(names.filter((name) => others.test(name))).toEqual(["cli/keys/report-secrets.ts"])
})

test("a build loads only the Node modules that it needs", () => {
  const out = mkdtempSync(join(tmpdir(), "flagstone-start-"))
  onTestFinished(() => rmSync(out, { recursive: true }))
  const names = loaded(["build", "--out", out])
  expect(names.filter((name) => slow.test(name)).sort()).toEqual(["node:child_process", "node:crypto"])
})

test("a proxy that reads a folder loads no HTTP client and, without an admin port, no metrics", () => {
  const names = loaded(["serve", "--snapshots", "test", "--keys", "none.yaml"])
  expect(names).toContain("proxy/serve.ts")
  expect(packages(names)).not.toContain("undici")
  expect(packages(names)).not.toContain("prom-client")
  expect(names).not.toContain("proxy/rate-limit/shared-store.ts")
  expect(loaded(["serve", "--snapshots", "http://127.0.0.1:1/", "--keys", "none.yaml"])).toContain("undici")
})

test("evaluate of the work tree loads neither history nor server, and no engine for expressions it does not need", () => {
  const names = loaded(["evaluate", "dark-mode", "--environment", "production"])
  expect(names).toContain("cli/evaluate/answer.ts")
  expect(packages(names).filter((name) => /undici|re2js|h3|pino/.test(name))).toEqual([])
  expect(names.filter((name) => /^(proxy\/(?!contract)|cli\/history)/.test(name))).toEqual([])
})
