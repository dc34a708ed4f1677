import { readdirSync, symlinkSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { Failure } from "../../../cli/failure.ts"
import { parseApiKey } from "../../../proxy/contract/api-key.ts"
import { formatPublicKey, parsePrivateKey } from "../../../proxy/contract/signature.ts"
import { keyFolder, written } from "../keys/key-folder.ts"

const { keys, modeOf, path, read, secretIn, stored, write } = keyFolder()

test("keys create --out writes the secret to a file that only its owner can read, and nowhere else", async () => {
  const { status, out, err } = await keys("create production --id web --out secret.txt")
  expect({ status, out, err }).toEqual({
    status: 0,
    out: "",
    err: "keys.yaml: created key web for production, which never expires; its secret is in secret.txt\n",
  })
  expect(read("secret.txt")).toMatch(/^fsk_\w{49}\n$/)
  expect(stored()).toMatchObject([{ id: "web", digest: parseApiKey(secretIn("secret.txt"))?.digest }])
  expect(modeOf("secret.txt")).toBe("600")
  expect(readdirSync(path()).toSorted()).toEqual(["keys.yaml", "secret.txt"])
})

test("keys signing --out writes the private half to such a file; the public half is still on stderr", async () => {
  const { status, out, err } = await keys("signing --out private.txt")
  expect({ status, out }).toEqual({ status: 0, out: "" })
  const privateKey = parsePrivateKey(secretIn("private.txt"))
  if (privateKey.kind === "invalid") throw new Error(privateKey.reason)
  expect(read("private.txt")).toMatch(/^\S+\n$/)
  expect(err).toBe(
    "the private half is in private.txt: give it to publish as FLAGSTONE_SIGNING_KEY\n" +
      `the public half is not secret: flagstone serve --verify-key ${formatPublicKey(privateKey.value)}\n`,
  )
  expect(modeOf("private.txt")).toBe("600")
  expect(readdirSync(path())).toEqual(["private.txt"])
})

test("keys signing without --out prints the private half on stdout, and the public half on stderr", async () => {
  const { out, err } = await keys("signing")
  const privateKey = parsePrivateKey(out)
  if (privateKey.kind === "invalid") throw new Error(privateKey.reason)
  expect(err).toContain(`--verify-key ${formatPublicKey(privateKey.value)}\n`)
  expect(err).toContain("the private half is on stdout and is not shown again")
  expect(readdirSync(path())).toEqual([])
})

describe.each(["create production", "signing"])("keys %s --out", (command) => {
  test("refuses to overwrite a file, and changes nothing", async () => {
    write("the only copy\n", "secret.txt")
    const result = keys(`${command} --out secret.txt`)
    await expect(result).rejects.toThrow(Failure)
    await expect(result).rejects.toThrow(
      "secret.txt already exists: choose a different --out; nothing was changed",
    )
    expect(read("secret.txt")).toBe("the only copy\n")
    expect(readdirSync(path())).toEqual(["secret.txt"])
  })

  test("does not write through a link, even to nothing", async () => {
    symlinkSync("elsewhere", path("secret.txt"))
    await expect(keys(`${command} --out secret.txt`)).rejects.toThrow("secret.txt already exists")
    expect(readdirSync(path())).toEqual(["secret.txt"])
  })

  test.each([
    [
      "missing/secret.txt",
      /^missing\/secret\.txt cannot be written: its folder does not exist; nothing was changed$/,
    ],
    [".", /^\. already exists/],
    ["keys.yaml/secret.txt", /^keys\.yaml\/secret\.txt cannot be written: .*ENOTDIR/],
  ])("reports %s, and changes nothing", async (out, message) => {
    write(written)
    const result = keys(`${command} --out ${out}`)
    await expect(result).rejects.toThrow(Failure)
    await expect(result).rejects.toThrow(message)
    expect(read()).toBe(written)
    expect(readdirSync(path())).toEqual(["keys.yaml"])
  })
})

test.each([
  ["because its id is taken", "create production --id ci", /already has a key ci/],
  ["because its name is wrong", "create ../production", /^an environment's name is/],
  ["because the file is the key file", "create production --keys new.yaml --out new.yaml", /is the key file/],
  ["because the key file cannot be written", "create production --keys missing/keys.yaml", /missing/],
  ["because the key file is broken", "create production --keys broken.yaml", /^broken\.yaml:1:2: /],
])("a key that is not recorded, %s, leaves no secret", async (_, command, message) => {
  write(written)
  write("[", "broken.yaml")
  const out = command.includes("--out") ? "" : " --out secret.txt"
  await expect(keys(command + out)).rejects.toThrow(message)
  expect(read()).toBe(written)
  expect(readdirSync(path()).toSorted()).toEqual(["broken.yaml", "keys.yaml"])
})
