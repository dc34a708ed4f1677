import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { AwsV4Signer } from "aws4fetch"
import { ended } from "./nginx.ts"
import { freePort, untilListening } from "./ports.ts"

/** A third-party S3 server. */
export interface RealS3 {
  readonly name: string
  /** Whether an object `x` and an object `x/y` exclude each other. */
  readonly keepsObjectsAsFiles: boolean
  /** Installs it into the cache folder if it is missing. Throws if this machine cannot. */
  install(): void
  start(): Promise<RunningS3>
}

/** Its bucket is `flags`. */
export interface RunningS3 {
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "flagstone", "s3")
const credentials = { accessKeyId: "FLAGSTONETEST", secretAccessKey: "flagstone-test-secret" }
const region = "us-east-1"

interface Server extends Omit<RealS3, "start"> {
  readonly program: string
  /** Arguments for a port and an empty folder. */
  args(port: number, folder: string): readonly string[]
}

const servers: readonly Server[] = [
  {
    name: "moto",
    keepsObjectsAsFiles: false,
    program: join(cache, "moto/bin/moto_server"),
    install() {
      run("python3", ["-m", "venv", join(cache, "moto")])
      run(join(cache, "moto/bin/pip"), ["install", "--quiet", "moto[server]==5.2.5"])
    },
    args: (port) => ["-H", "127.0.0.1", "-p", String(port)],
  },
  {
    name: "versitygw",
    keepsObjectsAsFiles: true,
    program: join(cache, "bin/versitygw"),
    install: () => goInstall("github.com/versity/versitygw/cmd/versitygw@v1.8.0"),
    args: (port, folder) => ["--port", `127.0.0.1:${port}`, "--quiet", "posix", folder],
  },
  {
    name: "MinIO",
    keepsObjectsAsFiles: false,
    program: join(cache, "bin/minio"),
    install: () => goInstall("github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c"),
    args: (port, folder) => ["server", "--quiet", "--address", `127.0.0.1:${port}`, folder],
  },
]

/** Those that this machine has or can install. `names`: these are required; without it, each missing one is reported. */
export function installRealS3(names: readonly string[] | undefined): readonly RealS3[] {
  mkdirSync(cache, { recursive: true })
  const wanted = servers.filter(({ name }) => names === undefined || names.includes(name.toLowerCase()))
  return wanted
    .filter((server) => isInstalled(server, names !== undefined))
    .map((server) => ({
      ...server,
      start: () => start(server),
    }))
}

function isInstalled({ name, program, install }: Server, isRequired: boolean): boolean {
  if (existsSync(program)) return true
  try {
    install()
    return true
  } catch (error) {
    if (isRequired) throw error
    console.warn(
      `SKIPPED: publishing to ${name}, because it cannot be installed: ${(error as Error).message}`,
    )
    return false
  }
}

function goInstall(module: string): void {
  run("go", ["install", module], { GOBIN: join(cache, "bin"), GOFLAGS: "" })
}

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  const { error, status, stderr } = spawnSync(command, args, {
    env: { ...process.env, ...env },
    encoding: "utf8",
    timeout: 1_200_000,
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(stderr.trim().split("\n").at(-1))
}

async function start({ program, args }: Server): Promise<RunningS3> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), "flagstone-s3-"))
  const child = spawn(program, args(port, folder), {
    stdio: "ignore",
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      ROOT_ACCESS_KEY: credentials.accessKeyId,
      ROOT_SECRET_KEY: credentials.secretAccessKey,
      MINIO_ROOT_USER: credentials.accessKeyId,
      MINIO_ROOT_PASSWORD: credentials.secretAccessKey,
    },
  })
  await untilListening(port)
  const url = `http://127.0.0.1:${port}`
  await createBucket(`${url}/flags`)
  return {
    env: {
      AWS_ENDPOINT_URL_S3: url,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    stop: () => ended(child),
  }
}

/** A server that listens may still be starting. */
async function createBucket(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const signed = await new AwsV4Signer({ ...credentials, method: "PUT", url, service: "s3", region }).sign()
    const response = await fetch(signed.url, { method: "PUT", headers: signed.headers })
    if (response.ok) return
    if (tries === 100) throw new Error(`no bucket: ${response.status} ${await response.text()}`)
    await new Promise((done) => setTimeout(done, 100))
  }
}
