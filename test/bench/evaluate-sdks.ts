import { mkdtempSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createEvaluator } from "../../sdk/evaluation/evaluator.ts"
import { type BenchContext, type BenchFlag, type BenchRule, entriesOf } from "./evaluate-workloads.ts"

// Each SDK of the comparison gets the same flags in its own format, and each context in its own shape before the clock
// runs. Sending and logging are off.

/** An SDK with flags in it. */
export interface LoadedSdk {
  /** Whether a flag is on; a promise if the SDK offers nothing else. */
  readonly evaluate: (key: string, context: number) => boolean | Promise<boolean>
  /** All flags at once, if the SDK can. */
  readonly evaluateAll?: (context: number) => unknown
  readonly close?: () => unknown
}

type LoadSdk = (
  flags: readonly BenchFlag[],
  contexts: readonly BenchContext[],
  load: NodeJS.Require,
) => LoadedSdk | Promise<LoadedSdk>

/** What a tool cannot express; for "any case" an expression counts if there is nothing else. */
export const unsaid: Readonly<Record<string, readonly BenchRule["kind"][]>> = {
  "unleash-client": ["in, any case"],
  "@featurevisor/sdk": ["share", "in, any case"],
  "@launchdarkly/node-server-sdk": ["endsWith, any case", "in, any case"],
}

/** The packages as they were when the comparison was written; the versions that it runs with. */
export const peerPackages: Readonly<Record<string, string>> = {
  "unleash-client": "6.12.1",
  "@growthbook/growthbook": "1.8.0",
  "@featurevisor/sdk": "2.0.0",
  "@launchdarkly/node-server-sdk": "9.13.7",
}

export const sdks: Readonly<Record<string, LoadSdk>> = {
  flagstone: async (flags, contexts) => {
    const { evaluate, evaluateAll } = await createEvaluator({ flags: entriesOf(flags) })
    return {
      evaluate: (key, context) => {
        const evaluation = evaluate(key, at(contexts, context) as never)
        return evaluation.kind === "evaluated" && evaluation.value === true
      },
      evaluateAll: (context) => evaluateAll(at(contexts, context) as never),
    }
  },

  "unleash-client": async (flags, contexts, load) => {
    const { Unleash, InMemStorageProvider } = load("unleash-client")
    const unleash = new Unleash({
      url: "http://127.0.0.1:9/",
      appName: "bench",
      bootstrap: { data: flags.map(unleashFeature) },
      storageProvider: new InMemStorageProvider(),
      refreshInterval: 0,
      disableMetrics: true,
      skipInstanceCountWarning: true,
      disableAutoStart: true,
    })
    for (const event of ["error", "warn"]) unleash.on(event, () => {})
    const isReady = new Promise((resolve) => unleash.once("synchronized", resolve))
    await unleash.start()
    await isReady
    const users = contexts.map(({ id, now, ...properties }) => ({
      userId: id,
      currentTime: new Date(now),
      properties,
    }))
    return {
      evaluate: (key, context) => unleash.isEnabled(key, at(users, context)),
      close: () => unleash.destroy(),
    }
  },

  "@growthbook/growthbook": (flags, contexts, load) => {
    const { GrowthBookClient } = load("@growthbook/growthbook")
    const features = Object.fromEntries(
      flags.map(({ key, rules }) => [key, { defaultValue: false, rules: rules.map(growthbookRule) }]),
    )
    const client = new GrowthBookClient().initSync({ payload: { features } })
    const users = contexts.map((attributes) => ({ attributes }))
    return { evaluate: (key, context) => client.isOn(key, at(users, context)) }
  },

  "@featurevisor/sdk": (flags, contexts, load) => {
    const { createInstance } = load("@featurevisor/sdk")
    const segments: Record<string, unknown> = {}
    const features = Object.fromEntries(
      flags.map(({ key, rules }) => [
        key,
        {
          key,
          bucketBy: "id",
          required: rules.flatMap((rule) => (rule.kind === "flag" ? rule.other.key : [])),
          traffic: rules.map((rule, index) => {
            const name = `${key}#${index}`
            if (rule.kind === "percentage")
              return { key: name, segments: "*", percentage: rule.percent * 1_000 }
            if (rule.kind === "flag") return { key: name, segments: "*", percentage: 100_000 }
            segments[name] = { key: name, conditions: featurevisorConditions(rule) }
            return { key: name, segments: name, percentage: 100_000 }
          }),
        },
      ]),
    )
    const datafile = { schemaVersion: "2", revision: "1", segments, features }
    const instance = createInstance({ datafile, logLevel: "fatal" })
    return {
      evaluate: (key, context) => instance.isEnabled(key, at(contexts, context)),
      evaluateAll: (context) => instance.getAllEvaluations(at(contexts, context)),
    }
  },

  "@launchdarkly/node-server-sdk": async (flags, contexts, load) => {
    const { init } = load("@launchdarkly/node-server-sdk")
    const { FileDataSourceFactory } = load("@launchdarkly/node-server-sdk/integrations")
    const file = join(mkdtempSync(join(tmpdir(), "flagstone-bench-")), "flags.json")
    writeFileSync(
      file,
      JSON.stringify({ flags: Object.fromEntries(flags.map((flag) => [flag.key, launchDarklyFlag(flag)])) }),
    )
    const client = init("sdk-key", {
      updateProcessor: new FileDataSourceFactory({ paths: [file] }).getFactory(),
      sendEvents: false,
      diagnosticOptOut: true,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    })
    await client.waitForInitialization({ timeout: 10 })
    const users = contexts.map(({ id, now, ...others }) => ({
      kind: "user",
      key: id,
      now: Date.parse(now),
      ...others,
    }))
    return {
      evaluate: (key, context) => client.variation(key, at(users, context), false),
      evaluateAll: (context) => client.allFlagsState(at(users, context)),
      close: () => client.close(),
    }
  },
}

/** Loads another SDK from the folder into which the comparison installed it. */
export function requireFrom(folder: string): NodeJS.Require {
  return createRequire(join(folder, "package.json"))
}

function at<T>(list: readonly T[], index: number): T {
  return list[index] as T
}

/** For tools that compare moments only strictly: a millisecond before one of whole seconds. */
function justBefore(moment: string): string {
  return new Date(Date.parse(moment) - 1).toISOString()
}

function escaped(domain: string): string {
  return `${domain.replaceAll(".", "\\.")}$`
}

function unleashFeature({ key, rules }: BenchFlag): unknown {
  const strategies = rules.map((rule) => ({
    name: rule.kind === "percentage" || rule.kind === "share" ? "flexibleRollout" : "default",
    parameters:
      rule.kind === "percentage" || rule.kind === "share"
        ? {
            rollout: String(rule.percent),
            groupId: rule.kind === "share" ? String(rule.seed) : key,
            stickiness: "userId",
          }
        : {},
    constraints: unleashConstraints(rule),
  }))
  // A feature without strategies is on; one that no one gets has a strategy that is never fulfilled.
  const nobody = { name: "default", parameters: {}, constraints: [unleashIn("plan", [])] }
  const dependencies = rules.flatMap((rule) =>
    rule.kind === "flag" ? { feature: rule.other.key, enabled: true } : [],
  )
  return {
    name: key,
    enabled: true,
    dependencies,
    strategies: strategies.length === 0 ? [nobody] : strategies,
  }
}

const unleashIn = (contextName: string, values: readonly string[]) => ({
  contextName,
  operator: "IN",
  values,
})

function unleashConstraints(rule: BenchRule): readonly unknown[] {
  switch (rule.kind) {
    case "equals":
      return [unleashIn("plan", [rule.plan])]
    case "in":
      return [unleashIn("country", rule.countries)]
    case "semver":
      return [{ contextName: "version", operator: "SEMVER_GT", value: rule.version, values: [] }]
    case "all":
      return [
        ...unleashConstraints({ ...rule, kind: "equals" }),
        ...unleashConstraints({ ...rule, kind: "semver" }),
      ]
    case "endsWith, any case":
      return [
        {
          contextName: "email",
          operator: "STR_ENDS_WITH",
          values: [rule.domain],
          caseInsensitive: true,
        },
      ]
    case "afterOrEquals":
      return [
        { contextName: "currentTime", operator: "DATE_AFTER", value: justBefore(rule.from), values: [] },
      ]
    default:
      return []
  }
}

function growthbookRule(rule: BenchRule): unknown {
  switch (rule.kind) {
    case "equals":
      return { force: true, condition: { plan: rule.plan } }
    case "in":
      return { force: true, condition: { country: { $in: rule.countries } } }
    case "semver":
      return { force: true, condition: { version: { $vgt: rule.version } } }
    case "all":
      return { force: true, condition: { plan: rule.plan, version: { $vgt: rule.version } } }
    case "percentage":
      return { force: true, coverage: rule.percent / 100, hashAttribute: "id" }
    case "share":
      return { force: true, coverage: rule.percent / 100, hashAttribute: "id", seed: String(rule.seed) }
    case "endsWith, any case":
      return { force: true, condition: { email: { $regexi: escaped(rule.domain) } } }
    case "in, any case":
      return { force: true, condition: { country: { $ini: rule.countries } } }
    case "afterOrEquals":
      return { force: true, condition: { now: { $gte: rule.from } } }
    case "flag":
      return { force: true, parentConditions: [{ id: rule.other.key, condition: { value: true } }] }
  }
}

function featurevisorConditions(rule: BenchRule): readonly unknown[] {
  switch (rule.kind) {
    case "equals":
      return [{ attribute: "plan", operator: "equals", value: rule.plan }]
    case "in":
      return [{ attribute: "country", operator: "in", value: rule.countries }]
    case "semver":
      return [{ attribute: "version", operator: "semverGreaterThan", value: rule.version }]
    case "all":
      return [
        ...featurevisorConditions({ ...rule, kind: "equals" }),
        ...featurevisorConditions({ ...rule, kind: "semver" }),
      ]
    case "endsWith, any case":
      return [{ attribute: "email", operator: "matches", value: escaped(rule.domain), regexFlags: "i" }]
    case "afterOrEquals":
      return [{ attribute: "now", operator: "after", value: justBefore(rule.from) }]
    default:
      return []
  }
}

function launchDarklyFlag({ key, rules }: BenchFlag): unknown {
  const last = rules.at(-1)
  const percent = last?.kind === "percentage" || last?.kind === "share" ? last.percent * 1_000 : 0
  const others = rules.flatMap((rule) => (rule.kind === "flag" ? rule.other.key : []))
  const rollout = {
    ...(last?.kind === "share" && { seed: last.seed }),
    variations: [
      { variation: 0, weight: percent },
      { variation: 1, weight: 100_000 - percent },
    ],
  }
  return {
    key,
    on: true,
    version: 1,
    salt: key,
    variations: [true, false],
    offVariation: 1,
    prerequisites: others.map((other) => ({ key: other, variation: 0 })),
    fallthrough: percent === 0 ? { variation: others.length > 0 ? 0 : 1 } : { rollout },
    rules: rules.flatMap((rule, index) => {
      const clauses = launchDarklyClauses(rule)
      return clauses.length === 0 ? [] : [{ id: `${index}`, variation: 0, clauses }]
    }),
  }
}

function launchDarklyClauses(rule: BenchRule): readonly unknown[] {
  const clause = (attribute: string, op: string, values: readonly unknown[]) => ({
    contextKind: "user",
    attribute,
    op,
    values,
  })
  switch (rule.kind) {
    case "equals":
      return [clause("plan", "in", [rule.plan])]
    case "in":
      return [clause("country", "in", rule.countries)]
    case "semver":
      return [clause("version", "semVerGreaterThan", [rule.version])]
    case "all":
      return [
        ...launchDarklyClauses({ ...rule, kind: "equals" }),
        ...launchDarklyClauses({ ...rule, kind: "semver" }),
      ]
    case "afterOrEquals":
      return [clause("now", "after", [Date.parse(rule.from) - 1])]
    default:
      return []
  }
}
