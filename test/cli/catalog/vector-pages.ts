import { formatDocument } from "../../../cli/catalog/html/document.ts"
import type { Catalog, CatalogCell } from "../../../cli/catalog/model/catalog.ts"
import { sourceLinks } from "../../../cli/catalog/model/source-links.ts"
import { pageScript } from "../../../cli/catalog/page-script.ts"
import { entryOf, ownVectors, type Vector } from "../../sdk/evaluation/vectors.ts"

/** A page, and, by context as JSON, the values of its cells, in the order of the matrix. */
export interface VectorPage {
  readonly text: string
  readonly cases: ReadonlyMap<string, readonly { readonly column: number; readonly value: string }[]>
}

const unreached = { isReached: false, hits: 0, witness: "" }

/** Catalogues whose environments are the vectors: those of one flag are in one row. */
export async function vectorPages(): Promise<readonly VectorPage[]> {
  const scripts = [await pageScript(false), await pageScript(true)] as const
  const pages: VectorPage[] = []
  const groups = Map.groupBy(ownVectors, ({ flag }) => JSON.stringify(flag))
  for (const vectors of [...groups.values()].flatMap(inParts)) {
    const entries = vectors.map(entryOf)
    const [first] = entries
    if (first === undefined) throw new Error("a group has a vector")
    const cells = entries.map(
      ({ environment }, at): CatalogCell => ({
        ...{ environment: `v${at}`, configuration: environment, differs: false },
        ...{ state: "rules", words: [], constant: undefined, otherwise: unreached },
        rules: (environment?.rules ?? []).map((_, at) => ({
          ...{ ...unreached, words: [] },
          ...{ line: 1, rule: { number: at + 1 } },
        })),
      }),
    )
    const catalog: Catalog = {
      ...emptyCatalog,
      environments: vectors.map((_, at) => ({ name: `v${at}`, id: `v${at}` })),
      flags: [
        {
          flag: first.flag,
          owner: "",
          tags: [],
          expires: "",
          path: "a.yaml",
          isTested: true,
          cells,
          staleAfter: 1,
          asks: [],
          askedBy: [],
        },
      ],
    }
    const cases = Map.groupBy(
      vectors.map(({ context, expected, cannotBeKnown }, column) => ({
        context: JSON.stringify(context),
        column,
        value: cannotBeKnown ? "cannot be known here" : JSON.stringify(expected),
      })),
      ({ context }) => context,
    )
    const hasExpressions = vectors.some(({ environment }) => /[mM]atches/.test(JSON.stringify(environment)))
    pages.push({ text: pageOf(catalog, scripts[hasExpressions ? 1 : 0]), cases })
  }
  return pages
}

/** Vectors grouped by context, because each context evaluates a whole page. */
function inParts(vectors: readonly Vector[]): readonly (readonly Vector[])[] {
  const sorted = [...Map.groupBy(vectors, ({ context }) => JSON.stringify(context)).values()].flat()
  return Array.from({ length: Math.ceil(sorted.length / 60) }, (_, at) =>
    sorted.slice(at * 60, (at + 1) * 60),
  )
}

/** The page of a catalogue. */
export function pageOf(catalog: Catalog, script: string): string {
  return formatDocument(catalog, { script, links: [] }).toString("utf8")
}

export const emptyCatalog: Catalog = {
  ...{
    project: "p",
    projectId: "p",
    environments: [],
    protected: 0,
    live: 0,
    beforeLive: -1,
    revision: null,
    asOf: "2026-01-01T00:00:00.000Z",
  },
  ...{
    flags: [],
    attributes: [],
    hasExpressions: false,
    history: [],
    links: sourceLinks(undefined, null),
  },
}
