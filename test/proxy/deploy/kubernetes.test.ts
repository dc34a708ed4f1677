// @module-tag system
// @module-tag slow
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { Deployment } from "kubernetes-models/apps/v1"
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2"
import { PodDisruptionBudget } from "kubernetes-models/policy/v1"
import { Service } from "kubernetes-models/v1"
import { describe, expect, test } from "vitest"
import { parseAllDocuments } from "yaml"
import { parseDuration } from "../../../cli/duration.ts"
import { serveVariables } from "../../option-variables.ts"
import { readStages, variablesOf } from "./dockerfile.ts"

// kubernetes-models has Kubernetes' own OpenAPI schemas as validators, and the same as types.

const root = resolve(import.meta.dirname, "../../..")
const read = (file: string) => readFileSync(join(root, "proxy/deploy", file), "utf8")
const manifests = parseAllDocuments(read("kubernetes.yaml"), { uniqueKeys: true }).map((document) => {
  expect(document.errors).toEqual([])
  return document.toJSON()
})
const [deployment, service, budget, autoscaler] = manifests
const image = variablesOf(readStages().get("serve"))
const pod = deployment.spec.template.spec
const [container] = pod.containers
const env: ReadonlyMap<string, string> = new Map(
  container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
)

/** Each kind in the file, the module of its model, and the model. */
const models = [
  ["Deployment", "apps/v1", Deployment],
  ["Service", "v1", Service],
  ["PodDisruptionBudget", "policy/v1", PodDisruptionBudget],
  ["HorizontalPodAutoscaler", "autoscaling/v2", HorizontalPodAutoscaler],
] as const

/** The problems that the models' types find: unknown members, which the validators accept as Kubernetes does. */
function findUnknownMembers(documents: readonly unknown[]): string {
  const folder = mkdtempSync(join(root, "test/proxy/deploy/.kubernetes-"))
  try {
    const lines = models.flatMap(([kind, module], at) => [
      `import type { I${kind} } from "kubernetes-models/${module}"`,
      `export const it${at}: I${kind} = ${JSON.stringify(documents[at])}`,
    ])
    writeFileSync(join(folder, "check.ts"), lines.join("\n"))
    const flags = ["--noEmit", "--skipLibCheck", "--strict", "--module", "nodenext", "--ignoreConfig"]
    execFileSync(join(root, "node_modules/.bin/tsc"), [...flags, "check.ts"], { cwd: folder, stdio: "pipe" })
    return ""
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("kubernetes.yaml", () => {
  test("is valid against Kubernetes' schemas, without unknown members", () => {
    expect(manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual(
      models.map(([kind, module]) => `${module} ${kind}`),
    )
    for (const [at, [, , Model]] of models.entries()) new Model(manifests[at]).validate()
    expect(findUnknownMembers(manifests)).toBe("")
  }, 60_000)

  test("its parts find each other", () => {
    const { labels } = deployment.spec.template.metadata
    for (const selector of [
      deployment.spec.selector.matchLabels,
      service.spec.selector,
      budget.spec.selector.matchLabels,
    ])
      expect(labels).toMatchObject(selector)
    expect(autoscaler.spec.scaleTargetRef).toEqual({
      apiVersion: deployment.apiVersion,
      kind: deployment.kind,
      name: deployment.metadata.name,
    })
    expect(deployment.spec.replicas).toBeUndefined() // otherwise each apply resets the autoscaler's number
    const ports = new Map(
      container.ports.map(({ name, containerPort }: { name: string; containerPort: number }) => [
        name,
        containerPort,
      ]),
    )
    for (const { targetPort } of service.spec.ports) expect(ports.has(targetPort)).toBe(true)
    for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"])
      expect(ports.has(container[probe].httpGet.port)).toBe(true)
    expect(String(ports.get("http"))).toBe(image.FLAGSTONE_PORT)
    expect(String(ports.get("metrics"))).toBe(image.FLAGSTONE_ADMIN_PORT)
    expect(deployment.spec.template.metadata.annotations["prometheus.io/port"]).toBe(
      image.FLAGSTONE_ADMIN_PORT,
    )
    const volumes = pod.volumes.map(({ name }: { name: string }) => name)
    for (const { name } of container.volumeMounts) expect(volumes).toContain(name)
    const mounts = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
    expect(mounts).toContain(image.FLAGSTONE_CACHE_DIR)
    expect(env.get("FLAGSTONE_KEYS")).toMatch(new RegExp(`^(${mounts.join("|")})/keys\\.yaml$`))
  })

  test("sets options that serve has, runs as an ordinary user, and contains no secret", () => {
    const secrets = ["FLAGSTONE_SNAPSHOTS_AUTHORIZATION", "FLAGSTONE_EVENTS_SECRET"] // no options, because everyone can see these
    const ofOptions = [...env.keys()].filter((name) => !secrets.includes(name))
    expect(serveVariables).toEqual(expect.arrayContaining(ofOptions))
    expect([...env.keys()]).toEqual(expect.arrayContaining(secrets))
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true)
    expect(read("kubernetes.yaml")).not.toMatch(/fsk_|digest|latest/)
  })
})

describe("the time to stop, in milliseconds", () => {
  const source = readFileSync(join(root, "proxy/serve.ts"), "utf8")
  const closing = Number(/const closeDeadline = ([\d_]+)/.exec(source)?.[1]?.replaceAll("_", ""))
  const leaving = 1_000 // what remains of the process after that
  const drainOf = (text: string | undefined) => parseDuration(text ?? "") ?? Number.NaN

  test("of a pod covers the drain, the requests in flight, and the end", () => {
    const grace = pod.terminationGracePeriodSeconds * 1_000
    expect(drainOf(env.get("FLAGSTONE_DRAIN_DELAY")) + closing + leaving).toBeLessThanOrEqual(grace)
  })

  test("of the pod's drain is longer than a readiness probe takes to say no", () => {
    const { periodSeconds, failureThreshold, timeoutSeconds = 1 } = container.readinessProbe
    const noticed = (periodSeconds + timeoutSeconds) * failureThreshold * 1_000
    expect(drainOf(env.get("FLAGSTONE_DRAIN_DELAY"))).toBeGreaterThan(noticed)
  })

  test("of the unit covers the same", () => {
    const unit = read("flagstone.service")
    const drain = drainOf(/FLAGSTONE_DRAIN_DELAY=(\w+)/.exec(unit)?.[1])
    const stop = drainOf(/^TimeoutStopSec=(\w+)$/m.exec(unit)?.[1])
    expect(drain + closing + leaving).toBeLessThanOrEqual(stop)
  })

  test("of `docker stop` without options, 10 s, covers the image's drain and leaves requests 4 s", () => {
    const drain = drainOf(image.FLAGSTONE_DRAIN_DELAY)
    expect(drain).toBeGreaterThan(0)
    expect(drain + 4_000 + leaving).toBeLessThanOrEqual(10_000)
  })

  test("of `docker run` in the manual covers all of it", () => {
    const manual = readFileSync(join(root, "docs/deployment.md"), "utf8")
    const given = Number(/--stop-timeout (\d+)/.exec(manual)?.[1]) * 1_000
    expect(drainOf(image.FLAGSTONE_DRAIN_DELAY) + closing + leaving).toBeLessThanOrEqual(given)
  })
})
