import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createApiKey } from "../../cli/keys/create-api-key.ts"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import { javaClasspath } from "../sdk/java-classpath.ts"
import { writeDocuments } from "./sdks/documents.ts"
import { option, startServe, stopServers } from "./servers.ts"

// `npm run bench:sdks`: our SDKs for JavaScript, Python, Go and Java beside one OFREP request for each evaluation, and beside other tools'
// SDKs for the language, which get the same flags in their own format; all must find as many flags on. Evaluations a second of CPU
// time, and of anyone's time over OFREP: the best of three rounds of `--seconds n`, warm, with 10,000 flags and 100 contexts. Start:
// CPU time from their text until they can be evaluated, and the resident memory that this adds, in Java the heap. What it needs is
// installed in the user's cache, for at most five minutes a language; what cannot be installed is named. Each SDK has its own process.

const seconds = option("seconds") ?? "2"
const folder = mkdtempSync(join(tmpdir(), "flagstone-bench-"))
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "flagstone/bench-sdks")
const root = resolve(import.meta.dirname, "../..")
const programs = join(import.meta.dirname, "sdks")

interface Language {
  readonly name: string
  /** Sets up the folder, and gives the command line, to which arguments are added. */
  install(folder: string): readonly string[]
  /** What is installed, by engine of the language's program. */
  readonly peers: Readonly<Record<string, string>>
}

const run = (cwd: string, command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { cwd, timeout: 300_000, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" })

const languages: readonly Language[] = [
  {
    name: "JavaScript",
    peers: {
      unleash: "unleash-client@6.12.1",
      growthbook: "@growthbook/growthbook@1.8.0",
      flagd: "@openfeature/flagd-core@4.0.1",
      featurevisor: "@featurevisor/sdk@2.0.0",
      launchdarkly: "@launchdarkly/node-server-sdk@9.13.7",
    },
    install(folder) {
      writeFileSync(join(folder, "package.json"), "{}")
      run(folder, "npm", "install", "--ignore-scripts", "@openfeature/core@1", ...Object.values(this.peers))
      return [process.execPath, "--expose-gc", join(programs, "measure.ts")]
    },
  },
  {
    name: "Python",
    peers: {
      unleash: "UnleashClient==6.9.1",
      growthbook: "growthbook==4.0.0",
      flagd: "openfeature-flagd-core==2.0.0",
    },
    install(folder) {
      if (!existsSync(join(folder, "bin/pip"))) run(folder, "python3", "-m", "venv", ".")
      run(
        folder,
        "bin/pip",
        "install",
        "-q",
        `${join(root, "sdk/python")}[re2]`,
        ...Object.values(this.peers),
      )
      return [join(folder, "bin/python"), join(programs, "measure.py")]
    },
  },
  {
    name: "Go",
    peers: { growthbook: "github.com/growthbook/growthbook-golang@v0.7.0" },
    install(folder) {
      const ours = `flagstone.example/sdk/go=${join(root, "sdk/go")}`
      writeFileSync(join(folder, "go.mod"), "module bench\n\ngo 1.23.0\n")
      copyFileSync(join(programs, "measure.go"), join(folder, "main.go"))
      run(folder, "go", "mod", "edit", `-replace=${ours}`, "-require=flagstone.example/sdk/go@v0.0.0")
      run(folder, "go", "get", ...Object.values(this.peers))
      run(folder, "go", "mod", "tidy")
      run(folder, "go", "build", "-o", "measure", ".")
      return [join(folder, "measure")]
    },
  },
  {
    name: "Java",
    // Without growthbook-sdk-java, which is not in Maven Central.
    peers: {
      unleash: "io.getunleash:unleash-client-java:12.2.3",
      flagd: "dev.openfeature.contrib.providers:flagd:0.11.15",
      launchdarkly: "com.launchdarkly:launchdarkly-java-server-sdk:7.10.2",
    },
    install(folder) {
      const dependencies = [
        "com.fasterxml.jackson.core:jackson-databind:2.21.8",
        ...Object.values(this.peers),
      ].map((peer) => {
        const [group, artifact, version] = peer.split(":")
        return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`
      })
      const name = "<groupId>bench</groupId><artifactId>bench</artifactId><version>1</version>"
      writeFileSync(
        join(folder, "pom.xml"),
        `<project><modelVersion>4.0.0</modelVersion>${name}<dependencies>${dependencies.join("")}</dependencies></project>`,
      )
      run(folder, "mvn", "-q", "-B", "dependency:build-classpath", "-Dmdep.outputFile=peers")
      const paths = `${folder}:${javaClasspath()}:${readFileSync(join(folder, "peers"), "utf8")}`
      run(folder, "javac", "-cp", paths, "-d", folder, join(programs, "Measure.java"))
      return ["java", "-cp", paths, "Measure"]
    },
  },
]

try {
  writeDocuments(folder, 10_000)
  const secret = createApiKey(randomBytes)
  const keys = join(folder, "keys.yaml")
  writeFileSync(
    keys,
    `keys:\n  - {id: a, environment: production, for: evaluate, digest: "sha256:${parseApiKey(secret)?.digest}", createdAt: 2026-11-21T10:00:00.000Z, rateLimit: {capacity: 1000000000, refillPerSecond: 1000000000}}\n`,
  )
  const proxy = await startServe(["--snapshots", join(folder, "10000"), "--keys", keys, "--ofrep"])
  for (const language of languages) {
    const installed = join(cache, language.name)
    mkdirSync(installed, { recursive: true })
    let command: readonly string[]
    try {
      command = language.install(installed)
    } catch (error) {
      console.warn(`SKIPPED: ${language.name}, because it could not be installed: ${error}`)
      continue
    }
    const [program = "", ...args] = command
    const table = ["flagstone", "ofrep", ...Object.keys(language.peers)].map((engine) => {
      const given = [engine, folder, "10000", seconds, `http://127.0.0.1:${proxy.port}`, secret]
      const { perSecond, on, milliseconds, memory } = JSON.parse(run(installed, program, ...args, ...given))
      const start = { "start ms": Math.round(milliseconds), MB: Math.round(memory) }
      return {
        [language.name]: language.peers[engine] ?? engine,
        "evaluations/s": Math.round(perSecond),
        "flags on": on,
        ...(engine !== "ofrep" && start),
      }
    })
    console.table(table)
    if (new Set(table.map((row) => row["flags on"])).size > 1) console.warn("NOT THE SAME: flags on")
  }
} finally {
  stopServers()
  rmSync(folder, { recursive: true })
}
