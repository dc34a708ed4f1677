import { compareText } from "../diagnostics/diagnostic.ts"
import { type CodeRequest, listCode, readCode } from "./code-files.ts"
import {
  type Constant,
  constantAt,
  constantsByName,
  findConstants,
  keysIn,
  type Reference,
} from "./references.ts"
import { type UndefinedFlag, undefinedFlagsIn } from "./undefined-flags.ts"

/** Where code uses flags. */
export interface Usages {
  /** By flag key, in the order of files and places; every key has its list. */
  readonly references: ReadonlyMap<string, readonly Reference[]>
  /** Calls for other keys, in the order of files and places; `undefined`: not searched for. */
  readonly undefinedFlags: readonly UndefinedFlag[] | undefined
  /** How many files were searched. */
  readonly files: number
  /** The paths of those that were left out because they are too large. */
  readonly tooLarge: readonly string[]
}

/**
 * Finds the references to flags in one pass over the code; constants found in it need a second pass. With `defined`,
 * all keys of the project, it also finds calls for undefined keys.
 */
export async function findUsages(
  request: CodeRequest,
  keys: ReadonlySet<string>,
  defined?: ReadonlySet<string>,
): Promise<Usages> {
  const paths = await listCode(request)
  const found: Reference[] = []
  const undefinedFlags: UndefinedFlag[] | undefined = defined && []
  const tooLarge: string[] = []
  let files = 0
  for (const path of paths) {
    const source = readCode(path)
    if (source === "too-large") tooLarge.push(path)
    if (source === undefined || source === "too-large") continue
    files++
    found.push(...keysIn(source, keys))
    if (defined !== undefined) undefinedFlags?.push(...undefinedFlagsIn(source, defined))
  }
  const constants = constantsByName(found.flatMap((reference) => constantAt(reference) ?? []))
  found.push(...constantUses(constants, paths))

  const references = new Map<string, Reference[]>([...keys].map((key) => [key, []]))
  const inOrder = found.toSorted((a, b) => compareText(a.source.path, b.source.path) || a.start - b.start)
  for (const reference of inOrder) references.get(reference.key)?.push(reference)
  return { references, undefinedFlags, files, tooLarge }
}

/** Finds uses of constants. Those that other files may use are searched for in all files. */
function constantUses(
  constants: ReadonlyMap<string, Constant>,
  paths: readonly string[],
): readonly Reference[] {
  const all = [...constants.values()]
  const searched = all.some(({ isShared }) => isShared)
    ? paths
    : new Set(all.map(({ source }) => source.path))
  const usesIn = findConstants(constants)
  return [...searched].flatMap((path) => {
    const source = readCode(path)
    return source === undefined || source === "too-large" ? [] : usesIn(source)
  })
}

/** The references that may use a flag: with one of them, it is not certain that the flag is unused. */
export function possibleUses(references: readonly Reference[]): readonly Reference[] {
  return references.filter(({ kind }) => kind !== "generated")
}

/**
 * The references that keep a flag in use. Generated declarations do not: they follow the flag files. Nor do those that are
 * only possible.
 */
export function blocking(references: readonly Reference[]): readonly Reference[] {
  return possibleUses(references).filter(({ kind }) => kind !== "possible")
}
