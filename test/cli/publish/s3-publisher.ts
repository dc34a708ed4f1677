import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { createProjectRepository, type Outcome, type ProjectRepository } from "../../repository.ts"
import { startS3, type TestS3 } from "../../servers/s3.ts"

/** For the tests of the calling file: an S3 server, and for each test a new project and an empty target. */
export function s3Publisher() {
  let s3: TestS3
  let repository: ProjectRepository
  let at = 0
  let seen = 0

  beforeAll(async () => {
    s3 = await startS3(["flags"], true, { checksSignatures: false })
  })
  afterAll(() => s3.stop())
  beforeEach(() => {
    s3.interfere = () => undefined
    repository = createProjectRepository()
    at++
    writes()
  })

  async function build(): Promise<void> {
    const built = await repository.flagstone(["build"])
    if (built.status !== 0) throw new Error(built.err)
  }

  const target = () => `s3://flags/${at}`
  const publish = (...args: readonly string[]) => publishWith({}, ...args)
  const publishWith = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    repository.flagstone(["publish", target(), ...args], { env: { ...s3.env, ...env }, now: Date.now })

  /** Commits, builds and publishes. */
  async function release(
    flags: Readonly<Record<string, boolean | undefined>>,
    ...args: readonly string[]
  ): Promise<Outcome & { readonly revision: string }> {
    const revision = repository.commitFlags(flags)
    await build()
    return { revision, ...(await publish(...args)) }
  }

  /** What a reader gets; `undefined`: 404. */
  async function get(path: string): Promise<Buffer | undefined> {
    const response = await fetch(`${s3.url}/flags/${at}/${path}`)
    const body = Buffer.from(await response.arrayBuffer())
    return response.status === 404 ? undefined : body
  }

  /** The paths that were written to since the last call. */
  function writes(): readonly string[] {
    const since = s3.requests.slice(seen)
    seen = s3.requests.length
    return since
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path.replace(`/flags/${at}/`, "")}`)
  }

  return {
    s3: () => s3,
    repository: () => repository,
    target,
    /** Where readers find what is published. */
    address: (path: string) => `${s3.url}/flags/${at}/${path}`,
    build,
    publish,
    publishWith,
    release,
    get,
    writes,
    dist: (file: string) => readFileSync(join(repository.folder, "dist", file)),
    pointer: async () => JSON.parse((await get("manifest.json"))?.toString() ?? "null"),
  }
}
