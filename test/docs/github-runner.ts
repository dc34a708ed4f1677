import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { parse } from "yaml"
import { root } from "./pages.ts"
import { runScript } from "./runner.ts"

type Values = Readonly<Record<string, unknown>>

/** A step of a job or of the Action. */
export interface Step {
  readonly id?: string
  readonly if?: string
  readonly run?: string
  readonly shell?: string
  readonly uses?: string
  readonly with?: Values
  readonly env?: Values
  readonly "working-directory"?: string
}

/** A job of a workflow. */
export interface Job {
  readonly if?: string
  readonly needs?: string
  readonly permissions: Readonly<Record<string, string>>
  readonly outputs?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
  readonly "timeout-minutes"?: number
}

/** What a job runs with: the event, and the variables of its environment. The checkouts are made already. */
export interface RunnerConfig {
  readonly cwd: string
  readonly github: Values & { readonly event_name: string }
  readonly inputs?: Values
  readonly vars?: Values
  readonly secrets?: Values
  readonly needs?: Values
  readonly env?: Readonly<Record<string, string>>
  /** Where this repository is checked out for the Action. */
  readonly action?: string
}

/** What a job did. */
export interface JobResult {
  /** What the step printed that failed first. */
  readonly failed: string | undefined
  readonly printed: string
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
  /** The steps of actions of others, which are not run. */
  readonly used: readonly { readonly uses: string; readonly with: Values }[]
  readonly temp: string
}

interface Scope {
  readonly config: RunnerConfig
  readonly contexts: Values
  readonly env: Readonly<Record<string, string>>
  readonly steps: Record<string, { readonly outputs: Readonly<Record<string, string>> }>
  readonly used: { uses: string; with: Values }[]
  failed: string | undefined
  printed: string
}

const action = parse(readFileSync(join(root, "action.yml"), "utf8"))

/** A workflow of this repository. */
export function readWorkflow(path: string) {
  return parse(readFileSync(join(root, path), "utf8"))
}

/** Writes a workflow of docs/ci into a folder, with an address in place of `<owner>` and `<commit>`, for linters. */
export function addressed(path: string): string {
  const text = readFileSync(join(root, path), "utf8")
  const file = join(mkdtempSync(join(tmpdir(), "flagstone-addressed-")), basename(path))
  const sha = "8ad20d150bbac5944a9f9d289da16a4b0d87c1e4"
  writeFileSync(file, text.replaceAll("<owner>/", "acme/").replaceAll("@<commit>", `@${sha}`))
  return file
}

/** Runs a job as GitHub's runner does, with the steps of the Action in it. Steps of other actions are recorded only. */
export async function runJob(job: Job, config: RunnerConfig): Promise<JobResult> {
  const temp = mkdtempSync(join(tmpdir(), "runner temp "))
  const summary = join(temp, "summary")
  writeFileSync(summary, "")
  const env = {
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: join(config.action ?? root, ".github/action"),
    GITHUB_EVENT_NAME: config.github.event_name,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_WORKSPACE: config.cwd,
    RUNNER_TEMP: temp,
    ...config.env,
  }
  const { github, vars = {}, secrets = {}, needs = {} } = config
  const inputs = { flags: "flags", "working-directory": ".", ...config.inputs }
  const contexts = { github, inputs, vars, secrets, needs }
  const scope: Scope = { config, contexts, env, steps: {}, used: [], failed: undefined, printed: "" }
  await runSteps(job.steps, scope)
  return {
    ...scope,
    outputs: interpolateAll(job.outputs ?? {}, scope),
    summary: readFileSync(summary, "utf8"),
    temp,
  }
}

/** Runs the jobs of a workflow in their order. A job that GitHub skips has no result. */
export async function runWorkflow(
  { jobs }: { readonly jobs: Readonly<Record<string, Job>> },
  config: Omit<RunnerConfig, "needs">,
): Promise<Readonly<Record<string, JobResult | undefined>>> {
  const results: Record<string, JobResult | undefined> = {}
  for (const [name, job] of Object.entries(jobs)) {
    const before = job.needs === undefined ? undefined : results[job.needs]
    const needs = job.needs === undefined ? {} : { [job.needs]: { outputs: before?.outputs ?? {} } }
    const isGood = job.needs === undefined || (before !== undefined && before.failed === undefined)
    const { github, inputs = {}, vars = {} } = config
    if (isMet(job.if, { github, inputs, vars, needs }, isGood))
      results[name] = await runJob(job, { ...config, needs })
  }
  return results
}

/** Whether GitHub runs something under a condition. */
export function isMet(condition: string | undefined, contexts: Values, isGood = true): boolean {
  const text = condition?.trim().replace(/^\$\{\{|\}\}$/g, "") ?? "true"
  const asksItself = /\b(cancelled|always|failure|success)\(\)/.test(text)
  return (asksItself || isGood) && Boolean(evaluate(text, contexts))
}

async function runSteps(steps: readonly Step[], scope: Scope): Promise<void> {
  for (const step of steps) {
    const contexts = contextsOf(scope)
    if (!isMet(step.if, contexts, scope.failed === undefined)) continue
    const env = { ...scope.env, ...interpolateAll(step.env ?? {}, scope) }
    const given = interpolateAll(step.with ?? {}, scope)
    let outputs: Readonly<Record<string, string>> = {}
    if (/^\$\/\.github\/action$|\/flagstone@/.test(step.uses ?? ""))
      outputs = await runAction(given, { ...scope, env })
    else if (step.uses !== undefined) {
      scope.used.push({ uses: step.uses.replace(/@.*/, ""), with: given })
      if (step.uses.startsWith("actions/upload-artifact@"))
        outputs = { "artifact-id": "7", "artifact-url": "https://github.example/7" }
    } else outputs = await runShell(step, env, scope)
    if (step.id !== undefined) scope.steps[step.id] = { outputs }
  }

  async function runAction(given: Values, outer: Scope): Promise<Readonly<Record<string, string>>> {
    const declared = Object.entries<{ default?: string }>(action.inputs)
    const inputs = {
      ...interpolateAll(
        Object.fromEntries(declared.map(([name, { default: value = "" }]) => [name, value])),
        outer,
      ),
      ...given,
    }
    const inner: Scope = { ...outer, contexts: { ...outer.contexts, inputs }, steps: {}, printed: "" }
    await runSteps(action.runs.steps, inner)
    scope.failed ??= inner.failed
    scope.printed += inner.printed
    const values = Object.entries<{ value: string }>(action.outputs).map(([name, { value }]) => [name, value])
    return interpolateAll(Object.fromEntries(values), inner)
  }
}

/** A step with `shell: bash` gets `pipefail`; one without a shell does not. */
async function runShell(step: Step, env: Readonly<Record<string, string>>, scope: Scope) {
  const file = join(mkdtempSync(join(tmpdir(), "flagstone-output-")), "output")
  writeFileSync(file, "")
  const shell = step.shell === "bash" ? ["--noprofile", "--norc", "-eo", "pipefail"] : ["-e"]
  const cwd = join(scope.config.cwd, interpolate(step["working-directory"] ?? ".", scope))
  await runScript(step.run, cwd, { ...env, GITHUB_OUTPUT: file }, shell).then(
    (printed) => {
      scope.printed += printed
    },
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
      scope.printed += stdout + stderr
      scope.failed ??= stdout + stderr
    },
  )
  const lines = readFileSync(file, "utf8")
  const values = [...lines.matchAll(/^(\w[\w-]*)(?:=(.*)|<<(.*)\n([\s\S]*?)\n\3)$/gm)]
  return Object.fromEntries(values.map(([, name, line, , block]) => [name, line ?? block ?? ""]))
}

const contextsOf = (scope: Scope): Values => ({ ...scope.contexts, steps: scope.steps, env: scope.env })

const interpolateAll = (values: Values, scope: Scope): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, interpolate(String(value), scope)]))

function interpolate(text: string, scope: Scope): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression) =>
    String(evaluate(expression, contextsOf(scope)) ?? ""),
  )
}

/** GitHub's expressions are JavaScript, except that any property may be missing, and for `.*.` and hyphens in names. */
function evaluate(expression: string, contexts: Values): unknown {
  const text = expression
    .replace(/(\S+) ([!=]=) ''/g, '($1 ?? "") $2 ""')
    .replace(/'[^']*'|\.\*\.(\w+)/g, (found, name) =>
      name === undefined ? found : `?.map((item) => item["${name}"])`,
    )
    .replace(/'[^']*'|(?<=[\w\])])\.([A-Za-z_][\w-]*)/g, (found, name) =>
      name === undefined ? found : `?.["${name}"]`,
    )
  const functions = {
    toJSON: (value: unknown) => JSON.stringify(value ?? null, undefined, 2),
    endsWith: (whole: string | undefined, end: string) => (whole ?? "").endsWith(end),
    cancelled: () => false,
    format: (text: string, ...values: readonly unknown[]) =>
      text.replace(/\{(\d)\}/g, (_, at) => String(values[at])),
  }
  const names = ["github", "inputs", "vars", "secrets", "needs", "steps", "env"]
  return new Function(...names, ...Object.keys(functions), `return ${text}`)(
    ...names.map((name) => contexts[name]),
    ...Object.values(functions),
  )
}
