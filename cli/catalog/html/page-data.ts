import { type Phrase, visible } from "../../diagnostics/phrase.ts"
import { canonicalJson } from "../../language/canonical-json.ts"
import type { DescribedChange, DescribedCommit } from "../history/described-commit.ts"
import type { Catalog, CatalogCell, CatalogFlag } from "../model/catalog.ts"
import type { PageCell, PageChange, PageCommit, PageData, PageFlag, PageSentence } from "../page/page-data.ts"

/** The catalogue for the page's script. */
export function pageData(catalog: Catalog): PageData {
  const { environments, links, branch } = catalog
  const changed = new Set(branch?.changes.map(({ flag }) => flag))
  return {
    environments: environments.map(({ name }) => name),
    protected: catalog.protected,
    live: catalog.live,
    beforeLive: catalog.beforeLive,
    changed: branch === undefined ? -1 : catalog.flags.filter(({ flag }) => changed.has(flag.key)).length,
    files: links.files ?? "",
    commits: links.commits ?? "",
    edits: links.edits ?? "",
    form: links.form ?? "",
    history: catalog.history.map((commit) => commitData(commit, links)),
    flags: catalog.flags.map(flagData),
  }
}

function flagData(whole: CatalogFlag): PageFlag {
  const { flag, owner, tags, expires, staleAfter, path, isTested, cells } = whole
  const defaultConstant = canonicalJson(flag.defaultValue)
  return {
    ...{ flag, owner, tags, expires, defaultConstant, staleAfter, path, isTested },
    cells: cells.map(cellData),
  }
}

function cellData(cell: CatalogCell): PageCell {
  const { state, constant, configuration, removedAt, ramps, isOver, rules, otherwise } = cell
  const reached = rules.map(({ isReached, hits, witness, line, rule }) => ({
    ...{ isReached, hits, witness },
    ...{ line, rule },
  }))
  return { state, constant, configuration, removedAt, ramps, isOver, reached: [...reached, otherwise] }
}

function commitData(
  { id, at, author, subject, changes }: DescribedCommit,
  { requestIn }: Catalog["links"],
): PageCommit {
  const added = changes.filter(({ kind }) => kind === "added").length
  const isImport = added > mostDescribed
  const made = changes.map((change) =>
    isImport && change.kind === "added" ? importedData(change, added) : changeData(change),
  )
  return { id, at, author, subject, request: requestIn(subject), changes: made }
}

/** A commit that adds more flags than these is an import. What each of them did then would be a seventh of the page. */
const mostDescribed = 100

function importedData({ flag }: DescribedChange, added: number): PageChange {
  return { flag, what: [`flag added with ${added - 1} others`], who: [] }
}

function changeData({ flag, from, environment, what, who }: DescribedChange): PageChange {
  const affected = who.map(({ environment, sentence }) => ({ environment, sentence: textsOf(sentence) }))
  return { flag, from, environment, what: textsOf(what), who: affected }
}

/** Our words and untrusted text, alternating. */
function textsOf(sentence: Phrase): PageSentence {
  const texts = [""]
  for (const part of sentence)
    if (typeof part === "string") texts.push(`${texts.pop()}${part}`)
    else texts.push(visible(part.foreign), "")
  return texts
}
