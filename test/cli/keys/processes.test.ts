// @module-tag system
// @module-tag slow
import { execFile, spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import { parseApiKey } from "../../../proxy/contract/api-key.ts"
import { keyFolder } from "./key-folder.ts"

const { path, stored } = keyFolder()
const cli = resolve(import.meta.dirname, "../../../cli/flagstone.js")

test("no key is lost between processes", async () => {
  const host = new URL("../../test-host.ts", import.meta.url)
  const command = new URL("../../../cli/commands/keys-create.ts", import.meta.url)
  const script = `
    import { testHost } from ${JSON.stringify(host)}
    import { runKeysCreate } from ${JSON.stringify(command)}
    for (let round = 0; round < 5; round++) {
      const host = testHost({ cwd: process.cwd(), showsSecrets: true })
      await runKeysCreate({ environment: "production", keys: "keys.yaml" }, host)
      process.stdout.write(host.out())
    }`
  const runs = Array.from({ length: 4 }, () =>
    promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], { cwd: path() }),
  )
  const secrets = (await Promise.all(runs)).flatMap(({ stdout }) => stdout.trimEnd().split("\n"))
  expect(secrets).toHaveLength(20)
  expect(
    stored()
      .map((key) => key.digest)
      .toSorted(),
  ).toEqual(secrets.map((secret) => parseApiKey(secret)?.digest).toSorted())
}, 30_000)

describe.each(["create production", "signing"])("keys %s --out", (command) => {
  test.skipIf(process.platform === "win32")("leaves nothing behind if the disk is full", () => {
    const { status, stdout, stderr } = spawnSync(
      "sh",
      [
        "-c",
        `ulimit -f 0 && exec "$0" "$@"`,
        process.execPath,
        cli,
        "keys",
        ...command.split(" "),
        "--out",
        "x",
      ],
      { cwd: path(), encoding: "utf8", env: {} },
    )
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(/^flagstone: x cannot be written: .*EFBIG.*; nothing was changed\n$/),
    })
    expect(readdirSync(path())).toEqual([])
  })
})
