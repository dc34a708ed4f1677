import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { groupKinds } from "../sdk/evaluation/condition.ts"
import { operatorsOnWire } from "../sdk/evaluation/operators.ts"

// The walls between folders: docs/architecture.md gives the reasons.
const root = resolve(import.meta.dirname, "..")

const sources = ["cli", "proxy", "sdk"].flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => {
      const file = join(room, path)
      const text = readFileSync(join(root, file), "utf8")
      const imports = [...text.matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)].map(([, target = ""]) =>
        relative(root, resolve(root, dirname(file), target)),
      )
      return { file, text, imports }
    }),
)

/** Imports out of files that match `from`, except those that match `allowed`. */
function imports(from: RegExp, allowed: RegExp): readonly string[] {
  return sources
    .filter(({ file }) => from.test(file))
    .flatMap(({ file, imports }) =>
      imports.filter((path) => !allowed.test(path)).map((path) => `${file} -> ${path}`),
    )
}

/** What is in a cycle or between two, after repeatedly removing whatever imports nothing left, or is imported by nothing. */
function inCircles(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const left = new Set(graph.keys())
  for (let before = -1; before !== left.size; ) {
    before = left.size
    const imported = new Set([...left].flatMap((one) => [...(graph.get(one) ?? [])]))
    for (const one of left) {
      const imports = [...(graph.get(one) ?? [])]
      if (!imported.has(one) || !imports.some((other) => left.has(other))) left.delete(one)
    }
  }
  return [...left]
}

/** A file directly in cli/, proxy/ or sdk/ stands for itself. */
function folderOf(file: string): string {
  const folder = dirname(file)
  return folder.includes("/") ? folder : file
}

describe("imports", () => {
  test("the sources are found", () => expect(sources.length).toBeGreaterThan(40))
  test("proxy/ never imports cli/, and the evaluation only where flags are evaluated", () => {
    expect(imports(/^proxy\/(?!(evaluate|ofrep)\/)/, /^(proxy|sdk\/contract)\//)).toEqual([])
    expect(imports(/^proxy\/(evaluate|ofrep)\//, /^(proxy|sdk\/contract|sdk\/evaluation)\//)).toEqual([])
  })
  test("the proxy's contract imports only the contract of SDKs", () => {
    expect(imports(/^proxy\/contract\//, /^(proxy|sdk)\/contract\//)).toEqual([])
  })
  test("cli/ imports only the contract and the evaluation, except in the commands that serve", () => {
    const serving = /^cli\/(commands\/(serve|served-keys|snapshot-sources|dev)|dev\/[\w-]+)\.ts$/
    expect(
      imports(/^cli\//, /^(cli|(?:proxy|sdk)\/contract|sdk\/evaluation)\//).filter(
        (line) => !serving.test(line.split(" ")[0] ?? ""),
      ),
    ).toEqual([])
  })
  test("language/ imports only the contract and the evaluation, and of the rest of cli/ types of places", () => {
    const places = /^cli\/diagnostics\//
    const values = sources
      .filter(({ file }) => file.startsWith("cli/language/"))
      .map((source) => ({ ...source, text: source.text.replace(/^import type .*$/gm, "") }))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/"\.\.\/diagnostics\/[^"]+"/g)].map(([path]) => `${file} -> ${path}`),
      )
    expect(values).toEqual([])
    expect(
      imports(/^cli\/language\//, /^(cli\/language|(?:proxy|sdk)\/contract|sdk\/evaluation)\//).filter(
        (line) => !places.test(line.split(" -> ")[1] ?? ""),
      ),
    ).toEqual([])
  })
  // From the bottom up. Files directly in the folder are above all of them.
  const floors = {
    catalog: ["page", "history", "model", "html"],
    reading: ["grammar", "files", "hints"],
    import: ["form", "sources", "meaning"],
    diff: [
      "revisions",
      "sides",
      "differences",
      "transitions",
      "effects",
      "changes",
      "warnings",
      "lane",
      "format",
    ],
  }
  test.each(Object.entries(floors))("no folder of %s/ imports one above it", (room, order) => {
    const floorOf = (file: string): number | undefined => {
      const [, folder] = new RegExp(`^cli/${room}/(?:([\\w-]+)/)?[\\w-]+\\.ts$`).exec(file) ?? []
      if (folder === undefined) return file.startsWith(`cli/${room}/`) ? order.length : undefined
      return order.indexOf(folder)
    }
    const climbs = sources.flatMap(({ file, imports }) => {
      const floor = floorOf(file)
      if (floor === undefined) return []
      expect(floor, `${file} is in a folder that has a place in the order`).toBeGreaterThanOrEqual(0)
      return imports.filter((path) => (floorOf(path) ?? -1) > floor).map((path) => `${file} -> ${path}`)
    })
    expect(climbs).toEqual([])
  })
  test("no room of cli/ imports one above it in the tree of docs/architecture.md", () => {
    const page = readFileSync(join(root, "docs/architecture.md"), "utf8")
    const [, tree = ""] = /^cli\/\n(.*?)^\w/ms.exec(page) ?? []
    const rooms = [...tree.matchAll(/^ {2}([\w-]+)\//gm)].map(([, room]) => room).reverse()
    const floorOf = (file: string) => rooms.indexOf(/^cli\/([\w-]+)\//.exec(file)?.[1] ?? "")
    const climbs = sources
      .filter(({ file }) => floorOf(file) >= 0)
      .flatMap(({ file, imports }) =>
        imports.filter((path) => floorOf(path) > floorOf(file)).map((path) => `${file} -> ${path}`),
      )
    expect(rooms.length).toBeGreaterThan(30)
    expect(climbs).toEqual([])
  })
  test("import/ is a package of its own: it imports few rooms, and only two commands import it", () => {
    const rooms =
      /^(cli\/(import|language|flag|project|report|diagnostics)|sdk\/(contract|evaluation))\/|^cli\/failure\.ts$/
    expect(imports(/^cli\/import\//, rooms)).toEqual([])
    expect(imports(/^(?!cli\/import\/|cli\/commands\/(import|explain)\.ts$)/, /^(?!cli\/import\/)/)).toEqual(
      [],
    )
  })
  // The rest of proxy/ is directly in the folder and above all of them, except for what is measured there.
  test("no folder of proxy/ imports one above it", () => {
    const order = [
      "contract",
      "rate-limit",
      "http",
      "reload",
      "evaluate",
      "prepare",
      "snapshots",
      "keys",
      "events",
    ]
    const floors = [...order, "observability", "ofrep"]
    const floorOf = (file: string): number => {
      const [, folder] = /^proxy\/(?:([\w-]+)\/)?[\w-]+\.ts$/.exec(file) ?? []
      if (folder === undefined) return file === "proxy/proxy-state.ts" ? order.length : floors.length + 1
      const floor = floors.indexOf(folder)
      expect(floor, `${file} is in a folder that has a place in the order`).toBeGreaterThanOrEqual(0)
      return floor < order.length ? floor : floor + 1
    }
    const climbs = sources
      .filter(({ file }) => file.startsWith("proxy/"))
      .flatMap(({ file, imports }) =>
        imports
          .filter((path) => path.startsWith("proxy/") && floorOf(path) > floorOf(file))
          .map((path) => `${file} -> ${path}`),
      )
    expect(climbs).toEqual([])
  })
  test("no cycle, type imports included", () => {
    expect(inCircles(new Map(sources.map(({ file, imports }) => [file, new Set(imports)])))).toEqual([])
  })
  test("folders have an order: no cycle of folders, type imports included", () => {
    const graph = new Map<string, Set<string>>()
    for (const { file, imports } of sources) {
      const folders = imports.map(folderOf).filter((folder) => folder !== folderOf(file))
      graph.set(folderOf(file), new Set([...(graph.get(folderOf(file)) ?? []), ...folders]))
    }
    expect(inCircles(graph)).toEqual([])
  })
  test("sdk/ is a package of its own: it imports nothing outside it", () => {
    expect(imports(/^sdk\//, /^sdk\//)).toEqual([])
    expect(imports(/^sdk\/contract\//, /^sdk\/contract\//)).toEqual([])
  })
  test("evaluation runs in browsers: no Node module, one hash, and re2js only where it is needed", () => {
    const packages = sources
      .filter(({ file }) => file.startsWith("sdk/evaluation/"))
      .flatMap(({ text }) =>
        [...text.matchAll(/(?:from |import\(|import )"([^".][^"]*)"/g)].map(([all]) => all),
      )
    expect(packages.sort()).toEqual(['from "@noble/hashes/sha2.js"', 'import("re2js"'])
  })
  test("the provider depends on no package except its SDK", () => {
    const packages = sources
      .filter(({ file }) => file.startsWith("sdk/openfeature/"))
      .flatMap(({ text }) => [...text.matchAll(/(?:from |import\(|import )"((?!node:)[^".][^"]*)"/g)])
    expect(packages.map(([, name]) => name)).toEqual(["@openfeature/server-sdk"])
  })
  test("the catalogue's page imports only what runs in browsers", () => {
    const own =
      /^(cli\/catalog\/page\/|cli\/diagnostics\/(?:moment-words|plural|printable)\.ts$|sdk\/evaluation\/|cli\/evaluate\/(?:condition-words|sentences)\.ts$|cli\/diagnostics\/phrase\.ts$|cli\/stale\/assess\.ts$|(?:proxy|sdk)\/contract\/)/
    expect(imports(/^cli\/catalog\/page\//, own)).toEqual([])
  })
  test("the top folder of proxy/ is small: what answers a request, and what starts it", () => {
    const files = sources.map(({ file }) => file).filter((file) => /^proxy\/[^/]+$/.test(file))
    expect(files.length).toBeLessThanOrEqual(8)
  })
  test("no barrels", () => expect(sources.filter(({ file }) => file.endsWith("/index.ts"))).toEqual([]))
})

test("only the entry files and the provider's world touch the process, the clock, the console and random numbers", () => {
  const touching = sources.filter(({ text }) =>
    /\b(process\.|Date\.now|new Date\(\)|performance\.|console\.|Math\.random)/.test(text),
  )
  expect(touching.map(({ file }) => file).sort()).toEqual([
    "cli/catalog/page/main.ts",
    "cli/main.ts",
    "sdk/openfeature/world.ts",
  ])
})

test("no file touches V8, which belongs to the whole process", () => {
  const touching = sources.filter(({ text }) => /"node:(v8|vm)"/.test(text))
  expect(touching.map(({ file }) => file)).toEqual([])
})

describe("an operator is known by its rows alone", () => {
  /** Where operators' names are: the rows, tables of other tools' words, and the text of an example. */
  const allowed =
    /^(sdk\/evaluation|cli\/language)\/operators\.ts$|^cli\/reading\/hints\/|^cli\/import\/(meaning\/|form\/(json-logic|query)|flipt|goff|launchdarkly|unleash)|^cli\/init\/project-text\.ts$/
  /** Names that are also English words, fields of files, kinds of conditions or sides of a diff. */
  const ordinary = "in matches exists contains before after share always percentage".split(" ")
  const others = [...operatorsOnWire.keys()].filter((name) => !ordinary.includes(name)).join("|")
  const word = `"(?:${[...ordinary, ...groupKinds].join("|")})"`
  const linesWith = (pattern: RegExp) =>
    sources
      .filter(({ file }) => !allowed.test(file))
      .flatMap(({ file, text }) =>
        text
          .replace(/\/\*.*?\*\/|(?<=^|\s)\/\/ .*?$/gms, "")
          .split("\n")
          .filter((line) => pattern.test(line))
          .map((line) => `${file}: ${line.trim()}`),
      )
  test("no other file has a name that is only an operator's", () => {
    // But in backticks, which are for readers, and as a method of strings.
    expect(linesWith(new RegExp(`(?<![.\\w\`])(?:${others})(?![\\w(\`])`))).toEqual([])
  })
  test("no other file compares an operator with any of them, or makes one", () => {
    const compared = `operator\\S*\\)? *(?:[!=]==|[:=]) *${word}|${word}[^\\]]*\\]\\.(?:has|includes)\\(.*operator`
    expect(linesWith(new RegExp(compared, "i"))).toEqual([])
  })
  test("no other file switches over operators", () => {
    expect(linesWith(/switch \(.*operator[^.]*\) /i)).toEqual([])
  })
})

/** Other users of what production code exports; each names the file's exports with a pattern. */
const doors: readonly (readonly [file: RegExp, name: RegExp])[] = [
  [/^cli\/commands\//, /^run[A-Z]/], // a command without its command line
  [/^sdk\/(?:openfeature\/provider|evaluation\/evaluator)\.ts$/, /./], // the package's users
  [/^cli\/diff\/diff\.ts$/, /^diffSides$/], // tests compare thousands of pairs, and load the engine once
]

test("production code exports nothing only for tests", () => {
  const uses = new Set<string>()
  for (const { file, text } of sources) {
    const at = (target: string) => relative(root, resolve(root, dirname(file), target))
    for (const [, names = "", target = ""] of text.matchAll(/import (?:type )?\{([^}]*)\} from "(\.[^"]+)"/g))
      for (const name of names.split(","))
        uses.add(`${at(target)} ${/(\w+)(?: as \w+)?\s*$/.exec(name)?.[1]}`)
    // A module that is loaded when it is needed: every name in the text may be one of its exports.
    for (const [, target = ""] of text.matchAll(/import\("(\.[^"]+)"\)/g))
      for (const [name] of text.matchAll(/\w+/g)) uses.add(`${at(target)} ${name}`)
  }
  const unused = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)]
      .map(([, name = ""]) => name)
      .filter((name) => !uses.has(`${file} ${name}`))
      .filter((name) => !doors.some(([files, names]) => files.test(file) && names.test(name)))
      .map((name) => `${file} ${name}`),
  )
  expect(unused).toEqual([])
})
