// Joins JavaScript into a few files for the published package, after tsc: loading a file costs half a millisecond, and
// a command or a proxy needs up to two hundred. The dependencies that nearly all of them need are joined as well: a
// proxy starts 25 % faster and takes 7 MB less memory.
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { rolldown } from "rolldown"
import { bundlePage } from "./catalog/bundle-page.js"

/** The dependencies that are joined, with their own. All others stay packages. */
const joined = ["@noble/hashes", "commander", "js-yaml", "pino", "yaml"]
const { dependencies, version } = JSON.parse(readFileSync("package.json", "utf8"))
const separate = Object.keys(dependencies).filter((name) => !joined.includes(name))

/**
 * Node's modules that commander imports and few commands need: it uses `node:child_process` only for subcommands in
 * separate files.
 */
const spared = {
  "node:child_process":
    'export default { spawn: (...all) => process.getBuiltinModule("node:child_process").spawn(...all) }',
  "node:util":
    'export const stripVTControlCharacters = (text) => process.getBuiltinModule("node:util").stripVTControlCharacters(text)',
}
const isSpared = (id, importer) => id in spared && /\/node_modules\/commander\//.test(importer)
const spareCommander = {
  name: "spare-commander",
  resolveId: (id, importer) => (isSpared(id, importer) ? `\0${id}` : undefined),
  load: (id) => spared[id.slice(1)],
}

/**
 * Importing one of Node's modules creates everything that it exports: for `node:fs` its promises and streams, for
 * `node:process` stdin. That takes milliseconds, and most runs of the package are short.
 */
const takeModulesAsTheyAre = {
  name: "take-modules-as-they-are",
  renderChunk: (code) =>
    code.replace(/^import ([\w$]+)?(?:, )?(\{[^}]*\})? from ("node:.*");$/gm, (_, whole, parts = "", id) =>
      [whole, parts.replaceAll(" as ", ": ")]
        .filter(Boolean)
        .map((name) => `const ${name} = process.getBuiltinModule(${id});`)
        .join(" "),
    ),
}

const external = (id, importer) =>
  (id.startsWith("node:") && !isSpared(id, importer)) ||
  separate.some((name) => id === name || id.startsWith(`${name}/`))
const bundle = await rolldown({
  input: {
    main: "build/cli/main.js",
    "prepare-worker": "build/proxy/prepare/prepare-worker.js",
    "key-file-worker": "build/proxy/keys/key-file-worker.js",
  },
  platform: "node",
  plugins: [spareCommander, takeModulesAsTheyAre],
  external,
  checks: { ineffectiveDynamicImport: false }, // only the SDK's users need expressions apart
})
// A group is loaded whole, with the packages that its files import: keep out what only some of its users need. A file
// goes to the first group that matches it or a file that imports it: what two groups share comes before both.
const { output } = await bundle.write({
  dir: "build/bin",
  codeSplitting: {
    groups: [
      {
        name: "start",
        test: /\/(node_modules\/commander\/.*|build\/cli\/(failure|git|package-files|project\/locate-flags|diagnostics\/(mask-secrets|printable|relative-path|suggest|workflow-commands)|reading\/files\/file-names|commands\/options)\.js|build\/proxy\/contract\/(environment-name|secret-form)\.js)$/,
      },
      { name: "evaluation", test: /build\/sdk\/evaluation\// },
      { name: "contract", test: /build\/(sdk\/contract\/|proxy\/contract\/(?!key|yaml|api-key|signature))/ },
      { name: "secrets", test: /build\/proxy\/contract\/(api-key|signature)/ },
      { name: "keys", test: /build\/proxy\/contract\/(key|yaml)/ },
      { name: "files", test: /build\/cli\/files\/(?!lock)/ },
      // What lint loads, without the files that compute hashes: `node:crypto` takes 9 ms to load.
      {
        name: "lint",
        test: /build\/cli\/(docs-address|project\/source-date-epoch|editor\/|(yaml|reading|checks|diagnostics)\/(?!blob-id|flag-file|format-(?!text)|explanations))/,
      },
      { name: "compile", test: /build\/cli\/(flag|history|files)\// },
      {
        name: "proxy",
        test: /build\/proxy\/(?!check|ofrep|observability\/(admin|gauge|health|(\w+-)?metrics)|rate-limit\/(?!token-bucket|memory-store|store-address)|reload\/address|prepare\/prepare-worker|prepare\/low-priority|keys\/key-file-worker)/,
      },
    ],
  },
})

// The script that each catalogue page contains.
for (const [file, expressions] of [
  ["catalog-page.js", false],
  ["catalog-page-expressions.js", true],
])
  writeFileSync(`build/bin/${file}`, await bundlePage("build/cli/catalog/page/main.js", expressions))

// The licences require that their texts are included.
const folders = output
  .flatMap(({ moduleIds = [] }) => moduleIds)
  .flatMap((id) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
const texts = [...new Set(folders)].sort().map((folder) => {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const text = file === undefined ? `License: ${license}\n` : readFileSync(join(folder, file), "utf8")
  return `${name ?? basename(folder)} ${version}\n\n${text}`
})
writeFileSync("build/bin/licenses.txt", texts.join(`\n${"-".repeat(80)}\n\n`))

writeFileSync("build/bin/version.txt", [version, ...readCommit()].join("+"))

/** The commit of this tree; empty if nothing says so. */
function readCommit() {
  // A forge's archive has no .git: git puts the commit here when it makes the archive, as .gitattributes asks.
  const archived = "$Format:%H$"
  if (!archived.startsWith("$")) return [shorten(archived)]
  if (!existsSync(".git")) return [] // git would name the commit of a repository around this folder
  try {
    const args = ["describe", "--always", "--dirty", "--exclude=*", "--abbrev=40"]
    return [shorten(execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))]
  } catch {
    return [] // git is missing, or does not trust the folder's owner
  }
}

/** Not by git, whose short names grow with the clone. */
function shorten(commit) {
  return commit.trim().replace(/^(\w{12})\w+/, "$1")
}
