import type { Configuration, Flag, SnapshotDocument } from "../../../proxy/contract/snapshot.ts"
import { loadExpressions } from "../../../sdk/evaluation/expression.ts"
import type { Definition } from "../../compile/definition/definition.ts"
import { toFlagFiles } from "../../compile/definition/flag-file.ts"
import type { KnownAttribute } from "../../compile/definition/known-attributes.ts"
import type { Project } from "../../compile/definition/project.ts"
import { pathFrom } from "../../compile/definition/read.ts"
import type { Repository } from "../../compile/history/repository.ts"
import { memberOf, toValue } from "../../compile/yaml/tree.ts"
import { createReport } from "../../diagnostics/diagnostic.ts"
import { rangeOf } from "../../diagnostics/location.ts"
import { toWorkTree, type WorkTree } from "../../evaluate/read-work-tree.ts"
import { runSpecs } from "../../specs/run-specs.ts"
import type { CatalogRequest } from "../catalog-request.ts"
import type { CatalogSources } from "../catalog-sources.ts"
import { type CatalogHistory, noHistory } from "../history/catalog-history.ts"
import { readHistory, walkHistory } from "../history/read-history.ts"
import { rememberHistory } from "../history/remembered-history.ts"
import type { Catalog, CatalogCell, CatalogFlag, Reached } from "./catalog.ts"
import { doTheSame, meaningOf } from "./cell.ts"
import { conditionNames } from "./condition-names.ts"
import { ruleWords } from "./rule-words.ts"
import { sourceLinks } from "./source-links.ts"

/** Reads all that the catalogue shows: the build, what only people read, the specs and the history. */
export async function readCatalog(
  request: CatalogRequest,
  sources: CatalogSources,
  repository: Repository,
): Promise<Catalog> {
  const { project, build, baseUrl } = request
  const [history, { tree, outcomes }] = await Promise.all([
    startHistory(request, repository),
    readFlags(project, sources),
  ])
  const documents = build.snapshots.map(
    ({ bytes }): SnapshotDocument => JSON.parse(Buffer.from(bytes).toString("utf8")),
  )
  const { revision } = build.manifest
  const [first] = documents
  const prefix = repository.kind === "inside" ? repository.prefix : ""
  const flags = (first?.flags ?? []).flatMap(({ flag }, at): readonly CatalogFlag[] => {
    const definition = tree.definitions.get(flag.key)
    if (definition === undefined) return []
    const configurations = documents.map((document) => document.flags[at]?.environment ?? null)
    return [
      {
        flag,
        ...peopleMembers(definition),
        path: prefix + pathFrom(project.folder, definition.source.path),
        isTested: outcomes.tested.has(flag.key),
        cells: cellsOf(flag, configurations, definition, tree, outcomes.of),
      },
    ]
  })
  const { environments } = project
  const live = environments.findLastIndex(({ name }) => project.protected.includes(name))
  const said = await history(tree)
  return {
    project: project.name,
    projectId: project.id,
    environments,
    live: live === -1 ? environments.length - 1 : live,
    revision,
    asOf: build.manifest.committedAt ?? newestOf(flags),
    flags,
    attributes: attributesOf(project, flags),
    history: request.authors ? said : withoutAuthors(said),
    links: sourceLinks(baseUrl, revision),
  }
}

/** The date of the newest change, where no commit has one. */
function newestOf(flags: readonly CatalogFlag[]): string {
  const times = flags.flatMap(({ flag, cells }) => [
    flag.updatedAt,
    ...cells.map(({ configuration }) => configuration?.updatedAt ?? ""),
  ])
  return times.reduce((newest, time) => (time > newest ? time : newest), "1970-01-01T00:00:00.000Z")
}

function withoutAuthors({ commits }: CatalogHistory): CatalogHistory {
  return { commits: commits.map((commit) => ({ ...commit, author: "" })) }
}

async function readFlags(project: Project, sources: CatalogSources) {
  const tree = toWorkTree(project, sources.flags, createReport())
  return { tree, outcomes: await readOutcomes(tree, sources) }
}

/** Walks the history; the function that it gives says it, which needs the flags. */
async function startHistory(
  { project, cache }: CatalogRequest,
  repository: Repository,
): Promise<(tree: WorkTree) => Promise<CatalogHistory>> {
  if (repository.kind === "outside") return async () => noHistory
  const remembered = rememberHistory(repository, project, cache)
  const walked = await walkHistory(repository, remembered)
  return async ({ definitions, segments }) => {
    const sources = [...definitions.values(), ...segments.values()].map(({ source }) => source)
    return readHistory({
      repository,
      walked,
      project,
      files: toFlagFiles(sources, repository.hash),
      definitions: definitions.values(),
      remembered,
      compileExpression: await loadExpressions(),
    })
  }
}

function peopleMembers({ root, expires }: Definition): Pick<CatalogFlag, "owner" | "tags" | "expires"> {
  const [owner, tags] = ["owner", "tags"].map((name) => {
    const written = memberOf(root, name)
    return written === undefined ? undefined : toValue(written.value)
  })
  return {
    owner: typeof owner === "string" ? owner : "",
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [],
    expires: expires?.text ?? "",
  }
}

/** What the specs and the engine of conditions say of each outcome. */
interface Outcomes {
  /** The keys of flags with a case. */
  readonly tested: ReadonlySet<string>
  readonly of: (environment: string, flag: string, by: number | string) => Reached
}

async function readOutcomes(tree: WorkTree, { specs: files }: CatalogSources): Promise<Outcomes> {
  const { specs, coverage = [] } = await runSpecs(
    tree,
    { isWanted: () => true, coverage: true, files },
    createReport(),
  )
  const name = (environment: string, flag: string, by: number | string) => `${environment} ${flag} ${by}`
  const reached = new Map(
    coverage.map(({ environment, flag, by, hits, witness }): [string, Reached] => [
      name(environment, flag, by),
      { isReached: true, hits, witness: witness === undefined ? "" : JSON.stringify(witness) },
    ]),
  )
  return {
    tested: new Set(specs.map(({ flag }) => flag)),
    of: (environment, flag, by) => reached.get(name(environment, flag, by)) ?? notReached,
  }
}

const notReached: Reached = { isReached: false, hits: 0, witness: "" }

function cellsOf(
  flag: Flag,
  configurations: readonly (Configuration | null)[],
  { source, configurations: defined }: Definition,
  { project }: WorkTree,
  outcomeOf: Outcomes["of"],
): readonly CatalogCell[] {
  const cells = configurations.map((configuration, at): CatalogCell => {
    const environment = project.environments[at]?.name ?? ""
    const written = defined.find((one) => one.environment === environment)
    const outcome = (by: number | string) => outcomeOf(environment, flag.key, by)
    const otherwise = configuration === null ? "unconfigured" : configuration.enabled ? "default" : "disabled"
    return {
      configuration,
      ...meaningOf(flag, configuration),
      differs: false,
      rules: (configuration?.rules ?? []).map((rule, position) => {
        const span = written?.rules[position]?.node
        return {
          words: ruleWords(rule),
          line: span === undefined ? 1 : rangeOf({ source, span }).line,
          ...outcome(position),
        }
      }),
      otherwise: outcome(otherwise),
    }
  })
  return cells.map((cell, at) => {
    const before = cells[at - 1]
    return before === undefined || doTheSame(before, cell) ? cell : { ...cell, differs: true }
  })
}

/** The attributes that the project declares; where it declares none, those that the rules ask for. */
function attributesOf({ attributes }: Project, flags: readonly CatalogFlag[]): readonly KnownAttribute[] {
  if (attributes !== undefined) return [...attributes.values()]
  const rules = flags.flatMap(({ cells }) => cells.flatMap(({ configuration }) => configuration?.rules ?? []))
  return [...new Set(rules.flatMap(conditionNames))]
    .sort()
    .map((name) => ({ name, type: undefined, description: "", values: undefined }))
}
