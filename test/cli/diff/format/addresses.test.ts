import { expect, test } from "vitest"
import { createAddresses } from "../../../../cli/diff/format/addresses.ts"
import { diffOf, shop, sideOf } from "../sides.ts"

const github = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "ann/shop", GITHUB_SHA: "c0" }
const gitlab = { CI_PROJECT_URL: "https://git.example/ann/shop", CI_COMMIT_SHA: "c0" }
const folder = { cwd: "/", path: "/flags", prefix: "apps/shop flags" }
const commits = {
  before: { kind: "commit", name: "main", revision: "a1" },
  after: { kind: "commit", name: "HEAD", revision: "b2" },
} as const
const workTree = { ...commits, after: { kind: "work-tree", name: "the work tree" } } as const

function addresses(env: object, endpoints: Parameters<typeof createAddresses>[2], { prefix } = folder) {
  const [before, after] = [
    sideOf({ "sub/old": { defaultValue: true } }),
    sideOf({ "#1?/new": { key: "new", defaultValue: false } }, shop.replace("shop", "store")),
  ]
  const addressOf = createAddresses({ ...env }, { ...folder, prefix }, endpoints)
  return Object.fromEntries(
    diffOf(before, after).changes.map((change) => [change.kind, addressOf(change)] as const),
  )
}

test("a file has the address of its commit, a deleted one that of the commit before", () => {
  expect(addresses(github, commits)).toEqual({
    "project-changed": "https://github.com/ann/shop/blob/b2/apps/shop%20flags/project.yaml",
    "flag-added": "https://github.com/ann/shop/blob/b2/apps/shop%20flags/%231%3F/new.yaml",
    "flag-removed": "https://github.com/ann/shop/blob/a1/apps/shop%20flags/sub/old.yaml",
  })
  expect(addresses(gitlab, commits)).toMatchObject({
    "flag-added": "https://git.example/ann/shop/-/blob/b2/apps/shop%20flags/%231%3F/new.yaml",
  })
})

test("the work tree of a CI job has the job's commit, and flags may be the whole repository", () => {
  expect(addresses(github, workTree, { ...folder, prefix: "" })).toMatchObject({
    "project-changed": "https://github.com/ann/shop/blob/c0/project.yaml",
  })
  expect(addresses(gitlab, workTree)).toMatchObject({ "flag-added": expect.stringContaining("/-/blob/c0/") })
})

test.each([
  [{}],
  [{ ...github, GITHUB_SERVER_URL: "javascript:alert(1)//" }],
  [{ GITHUB_SERVER_URL: "https://github.com", GITHUB_SHA: "c0" }],
])("no address by %j", (env) =>
  expect(Object.values(addresses(env, commits)).filter((one) => one !== undefined)).toEqual([]),
)

test("nor of a work tree whose commit no variable names", () => {
  const { GITHUB_SHA: _, ...rest } = github
  expect(addresses(rest, workTree)).toMatchObject({ "flag-added": undefined })
})
