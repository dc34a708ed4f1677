import { checkSegmentFiles } from "../../../cli/checks/check-segment-files.ts"
import { checkFlag } from "../../../cli/checks/checks.ts"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import type { Scope } from "../../../cli/diff/changes/change.ts"
import type { Diff } from "../../../cli/diff/changes/diff.ts"
import { diffSides } from "../../../cli/diff/diff.ts"
import { diffReport } from "../../../cli/diff/format/report.ts"
import type { Side } from "../../../cli/diff/sides/side.ts"
import { withFlags } from "../../../cli/flag/other-flags.ts"
import type { References } from "../../../cli/language/references.ts"
import { assemble } from "../../../cli/project/assemble.ts"
import { type Project, parseProject } from "../../../cli/reading/project.ts"
import { createFlagReader } from "../../../cli/reading/read-flag.ts"
import { reportJson } from "../../../cli/report/report-json.ts"
import { parseSource } from "../../../cli/yaml/parse.ts"
import { loadExpressions } from "../../../sdk/evaluation/expression.ts"
import { type Documents, withoutTimes } from "./apply.ts"

/** A project file that most tests use. */
export const shop =
  "project: shop\nenvironments: [development, staging, production]\nprotected: [production]\n"

/**
 * Compiles flag files and the segments that they use, given by name without the ending; `null` means no project. Throws
 * if there are errors.
 */
export function sideOf(
  files: Readonly<Record<string, unknown>>,
  projectText: string | null = shop,
  segments: Readonly<Record<string, unknown>> = {},
): Side {
  if (projectText === null) return { project: undefined, flags: [] }
  const report = createReport()
  const known = projectOf(projectText, segments)
  const { project } = known
  const sources = Object.entries(files).map(([name, content]) => {
    return {
      path: `/flags/${name}.yaml`,
      text: typeof content === "string" ? content : JSON.stringify(content),
    }
  })
  const validateFile = sources.some(({ text }) => text.includes('"flag":'))
    ? createFlagReader(
        project,
        withFlags(known.segments, sources, (source) => parseSource(source, report), project),
      )
    : known.validateFile
  const flags = sources.flatMap((source) => {
    const file = parseSource(source, report)
    return (file && validateFile(file, report)) ?? []
  })
  for (const flag of flags) checkFlag(flag, project, report)
  // Lint refuses a rule that no context reaches, but it still has a meaning: many random rules are of this kind.
  const errors = report.diagnostics.filter(
    ({ code, severity }) => severity === "error" && code !== "unreachable-rule",
  )
  if (errors.length > 0) throw new Error(errors.map(({ code, message }) => `${code}: ${message}`).join("\n"))
  return { project, flags }
}

/** Property tests compile thousands of sides of few projects, and making a validator takes longer than all the rest. */
const projects = new Map<
  string,
  {
    readonly project: Project
    readonly segments: References
    readonly validateFile: ReturnType<typeof createFlagReader>
  }
>()

function projectOf(text: string, segmentFiles: Readonly<Record<string, unknown>>) {
  const name = JSON.stringify([text, segmentFiles])
  const known = projects.get(name)
  if (known !== undefined) return known
  const report = createReport()
  const project = parseProject({ path: "/flags/project.yaml", text }, "/flags", report)
  if (project === undefined) throw new Error(report.diagnostics[0]?.message)
  const sources = Object.entries(segmentFiles).map(([file, content]) => {
    return { path: `/flags/${file}.segment.yaml`, text: JSON.stringify(content) }
  })
  const { segments } = checkSegmentFiles(sources, project, report)
  const made = { project, segments, validateFile: createFlagReader(project, segments) }
  projects.set(name, made)
  return made
}

/** The snapshots of a side as `build` writes them, except for the times; none without a project. */
export function documentsOf({ project, flags }: Side): Documents {
  if (project === undefined) return {}
  const time = Date.UTC(2026, 10, 21, 10)
  const times = new Map(
    flags.map(({ key, configurations }) => [
      key,
      {
        createdAt: time,
        updatedAt: time,
        defaultAt: time,
        configurations: new Map([...configurations.keys()].map((name) => [name, time])),
      },
    ]),
  )
  const history = {
    ...{ revision: null, uncommitted: [], shallow: false, committedAt: undefined, times },
    ...{ checkpoint: undefined, isRest: false },
  }
  const { snapshots } = assemble({ project, flags, history })
  return Object.fromEntries(
    snapshots.map(({ environment, bytes }) => [
      environment,
      withoutTimes(Buffer.from(bytes).toString("utf8")),
    ]),
  )
}

const compileExpression = await loadExpressions()

/** The diff and what `--format json` prints of it. */
export function diffOf(before: Side, after: Side, scope?: Scope): Diff & { readonly json: string } {
  const diff = diffSides(before, after, { compileExpression, scope, now: 0 })
  const nothing = { kind: "nothing", name: "a test" } as const
  const sides = { before: nothing, after: nothing, diff, replay: undefined }
  const report = diffReport({ ...sides, cwd: "/", addressOf: () => undefined }, "shop")
  return { ...diff, json: reportJson(report) }
}
