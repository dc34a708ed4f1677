import { describe, expect, test } from "vitest"
import { keyFolder } from "../keys/key-folder.ts"

const { keys, write } = keyFolder()

describe("keys list", () => {
  const several = `keys:
  - { id: a, environment: production, digest: "sha256:${"0".repeat(64)}", createdAt: 2026-01-01T00:00:00Z, owner: team-web }
  - { id: b, environment: production, digest: "sha256:${"1".repeat(64)}", createdAt: 2026-01-01T00:00:00Z, expiresAt: 2026-11-21T10:00:00Z }
  - { id: c, environment: staging, for: evaluate, digest: "sha256:${"2".repeat(64)}", createdAt: 2026-01-01T00:00:00Z, revokedAt: 2026-02-01T00:00:00Z }
  - { id: dd, environment: staging, for: read, digest: "sha256:${"3".repeat(64)}", createdAt: 2026-01-01T00:00:00Z, notBefore: 2027-01-01T00:00:00Z, rateLimit: { capacity: 5, refillPerSecond: 1 } }
`

  test("shows a table in the order of the file", async () => {
    write(several)
    expect(await keys("list")).toEqual({
      status: 0,
      out: `ID  ENVIRONMENT  FOR       OWNER     CREATED            EXPIRES            STATE
a   production   both      team-web  2026-01-01T00:00Z  never              active
b   production   both      -         2026-01-01T00:00Z  2026-11-21T10:00Z  expired
c   staging      evaluate  -         2026-01-01T00:00Z  never              revoked
dd  staging      read      -         2026-01-01T00:00Z  never              not yet
`,
      err: "keys.yaml: 4 keys, 1 active\n",
    })
  })

  test("shows JSON for programs, without digests", async () => {
    write(several)
    const { out } = await keys("list --format json")
    const [first, , , last] = JSON.parse(out)
    expect(first).toEqual({
      id: "a",
      project: null,
      environment: "production",
      for: null,
      flags: null,
      owner: "team-web",
      createdAt: "2026-01-01T00:00:00.000Z",
      notBefore: null,
      expiresAt: null,
      revokedAt: null,
      rateLimit: null,
      state: "active",
    })
    expect(last).toMatchObject({
      for: "read",
      notBefore: "2027-01-01T00:00:00.000Z",
      rateLimit: { capacity: 5, refillPerSecond: 1 },
      state: "not yet",
    })
    expect(out).not.toMatch(/0{64}|sha256/)
  })

  test("names the project and the globs of a key that has them", async () => {
    write(
      `keys: [{ id: a, project: shop, environment: production, for: evaluate, flags: [web/**], digest: "sha256:${"0".repeat(64)}", createdAt: 2026-01-01T00:00:00Z }]`,
    )
    const { out, err } = await keys("list")
    expect(out.split("\n")[1]).toBe(
      "a   shop/production  evaluate  -      2026-01-01T00:00Z  never    active",
    )
    expect(err).toBe("keys.yaml: 1 key, 1 active\n")
    expect(JSON.parse((await keys("list --format json")).out)).toMatchObject([
      { project: "shop", for: "evaluate", flags: ["web/**"] },
    ])
  })

  test("says that there is no key, or no file", async () => {
    write("keys: []\n")
    expect(await keys("list")).toEqual({ status: 0, out: "", err: "keys.yaml: 0 keys, 0 active\n" })
    expect((await keys("list --format json")).out).toBe("[]\n")
    await expect(keys("list --keys none.yaml")).rejects.toThrow(
      "none.yaml does not exist; `flagstone keys create <environment>` creates it",
    )
  })
})
