// @module-tag system
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createProjectRepository, time } from "../../repository.ts"

const rules = (condition: string) =>
  `defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ ${condition}, returnValue: true }] } }\n`

function project() {
  const repository = createProjectRepository()
  repository.write(
    "flags/project.yaml",
    "project: shop\nenvironments: [production]\nprotected: [production]\n",
  )
  repository.write("flags/customers.txt", "c-1\nc-2\n")
  repository.write("flags/pay.yaml", rules("attribute: id, operator: in, value: { file: customers.txt }"))
  const has = (path: string) => existsSync(join(repository.folder, "flags", path))
  const documentOf = async () => {
    expect(await repository.flagstone(["build"])).toMatchObject({ status: 0 })
    return JSON.parse(readFileSync(join(repository.folder, "dist/production.json"), "utf8")).flags
  }
  return { ...repository, has, documentOf }
}

describe("a list in a file", () => {
  test("is sent as the same list in the rule", async () => {
    const { write, commit, documentOf } = project()
    write("flags/customers.txt", "\ufeffc-1\r\n\r\n  c-2\t\r\n")
    write("flags/again.yaml", rules("attribute: id, operator: in, value: [c-1, c-2]"))
    commit(0)
    const [again, pay] = (await documentOf()).map(
      (entry: { environment: { rules: object } }) => entry.environment.rules,
    )
    expect(pay).toEqual(again)
  })

  test("changes its flags when its meaning changes, in rules and in segments, and moves with them", async () => {
    const { write, commit, remove, documentOf } = project()
    write(
      "flags/vips.segment.yaml",
      "none: [{ attribute: id, operator: notIn, value: { file: customers.txt } }]\n",
    )
    write("flags/vip.yaml", rules("segment: vips"))
    write("flags/other.yaml", rules("attribute: id, operator: in, value: [c-1]"))
    commit(0)
    write("flags/customers.txt", "c-1\n\nc-2\n")
    commit(1)
    write("flags/customers.txt", "c-1\nc-3\n")
    commit(2)
    for (const name of ["customers.txt", "pay.yaml", "vips.segment.yaml"]) remove(`flags/${name}`)
    write("flags/people/customers.txt", "c-1\nc-3\n")
    write("flags/people/pay.yaml", rules("attribute: id, operator: in, value: { file: customers.txt }"))
    write(
      "flags/people/vips.segment.yaml",
      "none: [{ attribute: id, operator: notIn, value: { file: customers.txt } }]\n",
    )
    commit(3)
    const times = (await documentOf()).map(
      ({ flag, environment }: { flag: { key: string }; environment: { updatedAt: string } }) => [
        flag.key,
        environment.updatedAt,
      ],
    )
    expect(times).toEqual([
      ["other", time(0)],
      ["pay", time(2)],
      ["vip", time(2)],
    ])
  })

  test("is named by diff, which says who changes", async () => {
    const { write, commit, flagstone } = project()
    write("flags/vips.segment.yaml", "attribute: id\noperator: in\nvalue: { file: customers.txt }\n")
    write(
      "flags/vip.yaml",
      rules("all: [{ segment: vips }, { attribute: plan, operator: equals, value: pro }]"),
    )
    commit(0)
    write("flags/customers.txt", "c-1\nc-3\nc-4\nc-5\n")
    const { out } = await flagstone(["diff"])
    expect(out).toContain(
      "segment vips: `customers.txt`: 3 added, 1 removed\n    1 flag in `production` changes\n",
    )
    expect(out).toContain(
      "pay: rule 1 edited: `customers.txt`: 3 added, 1 removed\n    `true` instead of `false` for users with `id` `c-3`, `c-4` or `c-5`\n",
    )
    expect(out).toContain("vip: rule 1: segment `vips` has changed\n")
  })

  test("is read from the commit that diff compares with, and from the work tree", async () => {
    const { write, commit, remove, flagstone } = project()
    commit(0)
    remove("flags/customers.txt")
    write("flags/pay.yaml", rules("attribute: id, operator: in, value: [c-1, c-2]"))
    expect((await flagstone(["diff"])).out).toContain("No change in behaviour\n")
  })

  test("is left out with its flag by diff if it was broken before", async () => {
    const { write, commit, flagstone } = project()
    write("flags/customers.txt", "c-\u00a01\n")
    commit(0)
    write("flags/customers.txt", "c-1\n")
    expect((await flagstone(["diff", "--tolerate-broken-base"])).out).toContain(
      "pay: it had errors before the change",
    )
  })

  test("goes with the last flag that names it, and is no flag that fmt or usages know", async () => {
    const { write, commit, flagstone, has } = project()
    write("flags/limits.json", '{ "type": "object" }\n')
    write("flags/limits.yaml", "type: json\nschema: limits.json\ndefaultValue: {}\n")
    write("flags/second.yaml", rules("attribute: id, operator: in, value: { file: customers.txt }"))
    commit(0)
    expect((await flagstone(["fmt", "--check"])).err).toBe("4 files read, 0 would change\n")
    expect((await flagstone(["usages"])).out).not.toContain("customers")
    await flagstone(["remove", "limits", "--force"])
    await flagstone(["remove", "pay", "--force", "--keep", "false"])
    expect(["limits.yaml", "limits.json", "pay.yaml", "customers.txt"].map(has)).toEqual([
      false,
      false,
      false,
      true,
    ])
    await flagstone(["remove", "second", "--force", "--keep", "false"])
    expect(["second.yaml", "customers.txt"].map(has)).toEqual([false, false])
  })
})
