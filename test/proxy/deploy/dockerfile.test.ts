import { expect, test } from "vitest"
import { serveVariables } from "../../option-variables.ts"
import { dockerfile, readInstructions, readStages, textsOf, variablesOf } from "./dockerfile.ts"

const stages = readStages()
const serve = stages.get("serve")
const all = (kind: string) => readInstructions().flatMap(({ name, text }) => (name === kind ? [text] : []))

test("pins its base images by digest, adds nothing from elsewhere, and contains no secret", () => {
  expect(all("ARG")).toEqual([
    expect.stringMatching(/^NODE=node:24\.\d+\.\d+-bookworm@sha256:[0-9a-f]{64}$/),
    expect.stringMatching(/^DISTROLESS=gcr\.io\/distroless\/nodejs24-debian13:nonroot@sha256:[0-9a-f]{64}$/),
  ])
  expect(all("ADD")).toEqual([])
  expect(dockerfile).not.toMatch(/sudo|curl|wget|latest|AUTHORIZATION|fsk_/)
})

test("serves as an ordinary user, by Node itself, so that signals arrive", () => {
  expect(textsOf(serve, "USER")).toEqual(["65532"])
  expect(textsOf(serve, "CMD")).toEqual(['["serve"]'])
  expect(textsOf(serve, "ENTRYPOINT")).toEqual([
    '["/nodejs/bin/node", "--max-semi-space-size=4", "/app/cli/flagstone.js"]',
  ])
})

test("sets options by variables, which `docker run --env` can change", () => {
  const ofOptions = Object.keys(variablesOf(serve)).filter((name) => name.startsWith("FLAGSTONE_"))
  expect(ofOptions.length).toBeGreaterThan(4)
  expect(serveVariables).toEqual(expect.arrayContaining(ofOptions))
  expect(textsOf(serve, "HEALTHCHECK").join()).toContain("process.env.FLAGSTONE_PORT")
})

test.each(["ci", "serve"])("labels the image %s, as registries show them", (name) => {
  const [labels = ""] = textsOf(stages.get(name), "LABEL")
  const keys = [...labels.matchAll(/(org\.opencontainers\.image\.\w+)="[^"]+"/g)].map(([, key]) => key)
  expect(keys.sort()).toEqual([
    "org.opencontainers.image.description",
    "org.opencontainers.image.licenses",
    "org.opencontainers.image.title",
  ])
})
