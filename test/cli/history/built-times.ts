import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { type BuildOptions, runBuild } from "../../../cli/commands/build.ts"
import type { FlagEntry, SnapshotDocument } from "../../../sdk/contract/snapshot.ts"
import { createRepository, type TestRepository, time } from "../../repository.ts"
import { type TestHostOptions, testHost } from "../../test-host.ts"

/** A project file, and the shortest flag file. */
export const project = "project: shop\nenvironments: [development, production]\n"
export const plain = "defaultValue: false\n"

/** A repository with one flag, `a`, committed 10 seconds after 2020. */
export function start(
  text = plain,
  flagsFolder = "flags",
  ...initOptions: readonly string[]
): TestRepository {
  const repository = createRepository(...initOptions)
  repository.write(`${flagsFolder}/project.yaml`, project)
  repository.write(`${flagsFolder}/a.yaml`, text)
  repository.commit(10)
  return repository
}

/** Builds into a new folder. */
export async function build(
  folder: string,
  options: Partial<BuildOptions> = {},
  given: TestHostOptions = {},
) {
  const host = testHost({ cwd: folder, ...given })
  const out = mkdtempSync(join(tmpdir(), "flagstone-dist-"))
  const status = await runBuild({ flags: "flags", out, ...options }, host)
  const read = (file: string) => JSON.parse(readFileSync(join(out, file), "utf8"))
  return { status, err: host.err(), read }
}

/** Of a build without diagnostics: `[createdAt, updatedAt, environment.updatedAt of development, of production]` of the flag `key`. */
export async function timesOf(folder: string, key = "a", options: Partial<BuildOptions> = {}) {
  const { status, err, read } = await build(folder, options)
  expect([status, err]).toEqual([0, ""])
  const entry = (environment: string): FlagEntry | undefined =>
    (read(`${environment}.json`) as SnapshotDocument).flags.find(({ flag }) => flag.key === key)
  const { flag } = entry("production") ?? {}
  return [
    flag?.createdAt,
    flag?.updatedAt,
    ...["development", "production"].map((environment) => entry(environment)?.environment?.updatedAt),
  ]
}

/** What `timesOf` returns for seconds after 2020. */
export const times = (...at: readonly (number | undefined)[]) => at.map((seconds) => seconds && time(seconds))

/** A flag that is on in `development` and has a configuration in `production`. */
export const configured = (production: string, more = "") =>
  `${more}defaultValue: false\nenvironments:\n  development: { enabled: true }\n  production: ${production}\n`
