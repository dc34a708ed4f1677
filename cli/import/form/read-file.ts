import { closeSync, fstatSync, openSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseAllDocuments,
  type YAMLMap,
  type Node as YamlNode,
} from "yaml"
import { Failure } from "../../failure.ts"
import { deepest, readJson } from "./read-json.ts"
import { type ImportFile, type Node, nameOf } from "./tree.ts"

/** Bytes. The largest accounts export about 50 MB; a JavaScript string has at most 2²⁹ characters. */
const largestFile = 256 * 1024 * 1024
/** YAML takes a hundred times as long to parse as JSON, but is written by hand. */
const largestYaml = 4 * 1024 * 1024
/** Aliases can make a short file stand for billions of values: each alias counts as its value. */
const mostYamlValues = 500_000

/** Reads `[environment=]file`. Throws `Failure` if it cannot be read as text. */
export function openFile(argument: string, cwd: string): ImportFile {
  const [, environment, path = argument] = /^([^=/\\]+)=(.+)$/s.exec(argument) ?? []
  const file = resolve(cwd, path)
  return { path: file, name: path, environment, text: decode(readBytes(file, path), path) }
}

function readBytes(path: string, shown: string): Uint8Array {
  let file: number | undefined
  try {
    file = openSync(path, "r")
    const found = fstatSync(file)
    if (!found.isFile()) throw new Failure(`${shown} is not a file: pass the files that you exported`)
    if (found.size > largestFile)
      throw new Failure(
        `${shown} has ${found.size} bytes, more than ${largestFile}: export one project at a time`,
      )
    return readFileSync(file)
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw new Failure(`${shown} cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function decode(bytes: Uint8Array, shown: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch (cause) {
    const isUtf16 = bytes[0] === 0xff || bytes[0] === 0xfe || bytes[1] === 0
    const what = isUtf16 ? "is UTF-16" : "is not UTF-8"
    throw new Failure(
      `${shown} ${what}: save it as UTF-8, for example with \`iconv -f ${isUtf16 ? "UTF-16" : "LATIN1"} -t UTF-8\``,
      {
        cause,
      },
    )
  }
}

/** The documents of a file: one in JSON, any number in YAML. */
export function readDocuments(file: ImportFile): readonly Node[] {
  if (/^\s*[[{]/.test(file.text) && !/^\s*\{\s*[A-Za-z]/.test(file.text)) return [readJson(file)]
  if (file.text.length > largestYaml)
    throw new Failure(
      `${nameOf(file)}: YAML of more than ${largestYaml} characters: split the file, or export JSON`,
    )
  const documents = parseYaml(file)
  const count = { left: mostYamlValues }
  const nodes = documents.map((one) => toNode(one.contents as YamlNode | null, one, file, count))
  return nodes.filter(({ value }) => value !== null)
}

function parseYaml(file: ImportFile): readonly Document.Parsed[] {
  const parsed = parseAllDocuments(file.text, { merge: true, uniqueKeys: true })
  if ("empty" in parsed) return []
  for (const { errors } of parsed) {
    const [first] = errors
    if (first?.code === "RESOURCE_EXHAUSTION") throw tooDeep(file)
    if (first !== undefined) throw new Failure(`${nameOf(file)}: ${first.message.split("\n")[0]}`)
  }
  return parsed
}

function tooDeep(file: ImportFile): Failure {
  return new Failure(`${nameOf(file)}: nested deeper than ${deepest} levels, which no flag tool writes`)
}

function toNode(
  root: YamlNode | null,
  document: Document.Parsed,
  file: ImportFile,
  count: { left: number },
): Node {
  const enter = (depth: number): void => {
    if (depth > deepest) throw tooDeep(file)
    if (--count.left < 0)
      throw new Failure(
        `${nameOf(file)}: more than ${mostYamlValues} values once its aliases are expanded: split the file`,
      )
  }
  const targetOf = (yaml: unknown): unknown => {
    if (!isAlias(yaml)) return yaml
    const target = yaml.resolve(document)
    if (target === undefined) throw new Failure(`${nameOf(file)}: the alias *${yaml.source} has no anchor`)
    return target
  }
  /** The values of a mapping by name, also of those that it merges, as in `<<: *base`; its own come first and count. */
  const valuesIn = (yaml: YAMLMap, depth: number): ReadonlyMap<string, unknown> => {
    const own = yaml.items.filter(({ key }) => !isMerge(key))
    const values = new Map(
      own.map(({ key, value }) => [isScalar(key) ? String(key.value) : String(key), value]),
    )
    for (const { value } of yaml.items.filter(({ key }) => isMerge(key)))
      for (const one of [targetOf(value)].flatMap((all) => (isSeq(all) ? all.items.map(targetOf) : all))) {
        enter(depth)
        if (!isMap(one)) continue
        for (const [name, inner] of valuesIn(one, depth + 1)) if (!values.has(name)) values.set(name, inner)
      }
    return values
  }
  const make = (yaml: unknown, parent: Node | undefined, name: string | number, depth: number): Node => {
    enter(depth)
    if (isAlias(yaml)) return make(targetOf(yaml), parent, name, depth + 1)
    const start = (yaml as YamlNode | null)?.range?.[0] ?? parent?.start ?? 0
    const node = { value: null as Node["value"], file, start, parent, name }
    if (isMap(yaml))
      node.value = {
        members: [...valuesIn(yaml, depth)].map(([name, value]) => make(value, node, name, depth + 1)),
      }
    else if (isSeq(yaml)) node.value = yaml.items.map((item, index) => make(item, node, index, depth + 1))
    else if (isScalar(yaml)) node.value = scalarOf(yaml.value)
    return node
  }
  return make(root, undefined, "", 0)
}

function isMerge(key: unknown): boolean {
  return isScalar(key) && typeof key.value === "symbol"
}

function scalarOf(value: unknown): null | boolean | number | string {
  if (value instanceof Date) return value.toISOString()
  return value === null || typeof value === "boolean" || typeof value === "number" ? value : String(value)
}
