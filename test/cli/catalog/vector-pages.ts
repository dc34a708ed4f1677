import { createFlagPart } from "../../../cli/catalog/flags/make-part.ts"
import { createPageLists } from "../../../cli/catalog/flags/page-lists.ts"
import type { CatalogCommit, FlagChange, SaidChange } from "../../../cli/catalog/history/catalog-history.ts"
import { createHistoryBook } from "../../../cli/catalog/history/history-book.ts"
import { formatDocument } from "../../../cli/catalog/html/document.ts"
import { pageData } from "../../../cli/catalog/html/page-data.ts"
import type { Catalog } from "../../../cli/catalog/model/catalog.ts"
import type { CatalogCell, CatalogFlag } from "../../../cli/catalog/model/catalog-flag.ts"
import { pageScript } from "../../../cli/catalog/page-script.ts"
import type { Rule } from "../../../proxy/contract/snapshot.ts"
import { entryOf, ownVectors, type Vector } from "../../sdk/evaluation/vectors.ts"

/** A page, and by context as JSON what its cells, counted through the matrix, must give. */
export interface VectorPage {
  readonly text: string
  readonly cases: ReadonlyMap<string, readonly { readonly column: number; readonly value: string }[]>
}

const unreached = { isReached: false, hits: 0, witness: "" }

/** Catalogues whose environments are the vectors: those of one flag stand in one row. */
export async function vectorPages(): Promise<readonly VectorPage[]> {
  const scripts = new Map<boolean, string>() // joined once for each kind, because there are hundreds of pages
  const scriptOf = async (rules: readonly Rule[], kind: boolean) => {
    const script = scripts.get(kind) ?? (await pageScript(rules))
    scripts.set(kind, script)
    return script
  }
  const pages: VectorPage[] = []
  const groups = Map.groupBy(ownVectors, ({ flag }) => JSON.stringify(flag))
  for (const vectors of [...groups.values()].flatMap(inParts)) {
    const entries = vectors.map(entryOf)
    const [first] = entries
    if (first === undefined) throw new Error("a group has a vector")
    const cells = entries.map(
      ({ flag, environment }, at): CatalogCell => ({
        configured: environment ?? undefined,
        differs: false,
        meaning: {
          environment: `v${at}`,
          defaultValue: flag.defaultValue,
          content: environment ?? undefined,
          ...{ isShared: false, state: "rules", words: [], constant: undefined, otherwise: unreached },
          rules: (environment?.rules ?? []).map(() => ({ ...unreached, words: [], line: 1 })),
        },
      }),
    )
    const catalog: TestCatalog = {
      ...emptyCatalog,
      environments: vectors.map((_, at) => ({ name: `v${at}`, id: `v${at}` })),
      flags: [{ flag: first.flag, owner: "", tags: [], expires: "", path: "a.yaml", isTested: true, cells }],
    }
    const cases = Map.groupBy(
      vectors.map(({ context, expected, cannotBeKnown }, column) => ({
        context: JSON.stringify(context),
        column,
        value: cannotBeKnown ? "cannot be known here" : JSON.stringify(expected),
      })),
      ({ context }) => context,
    )
    const kind = vectors.some(({ environment }) => /[mM]atches/.test(JSON.stringify(environment)))
    const rules = entries.flatMap(({ environment }) => environment?.rules ?? [])
    pages.push({ text: pageOf(catalog, await scriptOf(rules, kind)), cases })
  }
  return pages
}

/** Vectors of one context together, because each context evaluates a whole page. */
function inParts(vectors: readonly Vector[]): readonly (readonly Vector[])[] {
  const sorted = [...Map.groupBy(vectors, ({ context }) => JSON.stringify(context)).values()].flat()
  return Array.from({ length: Math.ceil(sorted.length / 60) }, (_, at) =>
    sorted.slice(at * 60, (at + 1) * 60),
  )
}

interface TestCommit extends Omit<CatalogCommit, "changes"> {
  readonly changes: readonly FlagChange<SaidChange>[]
}

/** A catalogue as a test writes it. */
export interface TestCatalog extends Omit<Catalog, "flags" | "history"> {
  readonly flags: readonly CatalogFlag[]
  readonly commits: readonly TestCommit[]
}

/** The page of a catalogue. */
export function pageOf({ flags, commits, ...catalog }: TestCatalog, script: string): string {
  const names = catalog.environments.map(({ name }) => name)
  const lists = createPageLists()
  const book = createHistoryBook(names)
  for (const commit of commits) {
    const changes = commit.changes.map(({ said, ...change }) => ({ ...change, said: book.write(said) }))
    book.add({ ...commit, changes })
  }
  const flagPart = createFlagPart({ project: catalog.project, environments: names }, lists)
  const whole: Catalog = {
    ...catalog,
    flags: flags.map((flag) => flagPart(flag, flag.flag.key)),
    history: book.history(),
  }
  return formatDocument(whole, pageData(whole, lists), { script }).toString("utf8")
}

export const emptyCatalog: TestCatalog = {
  ...{
    project: "p",
    projectId: "p",
    environments: [],
    live: 0,
    revision: null,
    asOf: "2026-01-01T00:00:00.000Z",
  },
  ...{ flags: [], attributes: [], commits: [], links: { files: undefined, commits: undefined } },
}
