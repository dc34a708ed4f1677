// @module-tag system
import { describe, expect, test } from "vitest"
import {
  findBaseUrl,
  findBranch,
  findForms,
  sourceLinks,
} from "../../../../cli/catalog/model/source-links.ts"
import { createGit } from "../../../../cli/git.ts"
import { createRepository } from "../../../repository.ts"
import { testHost } from "../../../test-host.ts"

test.each([
  ["git@github.com:acme/shop.git", "https://github.com/acme/shop"],
  ["ssh://git@git.example.com:2222/acme/shop.git", "https://git.example.com/acme/shop"],
  ["https://github.com/acme/shop.git", "https://github.com/acme/shop"],
  ["http://git.example.com:3000/acme/shop/", "http://git.example.com:3000/acme/shop"],
  ["https://ann:token@github.com/acme/shop", "https://github.com/acme/shop"], // secrets stay here
  ["/srv/git/shop.git", undefined],
  ["file:///srv/git/shop.git", undefined],
  ["javascript:alert(1)", undefined],
  ["", undefined],
])("the pages of the remote %s are at %s", async (remote, address) => {
  const { folder, git } = createRepository()
  git("config", "remote.origin.url", remote)
  expect(await findBaseUrl({}, folder, testHost().git)).toBe(address)
})

test.each([
  [
    "https://github.com/acme/shop",
    "https://github.com/acme/shop/blob/r/",
    "https://github.com/acme/shop/commit/",
  ],
  [
    "https://gitlab.com/acme/shop/",
    "https://gitlab.com/acme/shop/-/blob/r/",
    "https://gitlab.com/acme/shop/-/commit/",
  ],
  [
    "https://git.example.com/shop/-",
    "https://git.example.com/shop/-/blob/r/",
    "https://git.example.com/shop/-/commit/",
  ],
])("files and commits of %s", (base, files, commits) => {
  expect(sourceLinks(base, "r")).toMatchObject({ files, commits })
})

test.each([
  ["https://github.com/acme/shop", "main", "/edit/main/", "/actions/workflows/change-flag.yaml"],
  [
    "https://github.com/acme/shop",
    "release/1 %",
    "/edit/release/1%20%25/",
    "/actions/workflows/change-flag.yaml",
  ],
  ["https://gitlab.com/acme/shop", "main", "/-/edit/main/", "/-/pipelines/new"],
])("at %s, the branch %s is edited at …%s, and the form is …%s", (base, branch, edits, form) => {
  const links = sourceLinks(base, "r", { branch, forms: ["github", "gitlab"] })
  expect(links).toMatchObject({ edits: base + edits, form: base + form })
  const elsewhere = base.includes("gitlab") ? "github" : "gitlab"
  expect(sourceLinks(base, "r", { branch: undefined, forms: [elsewhere] })).toMatchObject({
    ...{ edits: undefined, form: undefined },
  })
})

test.each([
  [{ GITHUB_REF_TYPE: "branch", GITHUB_REF_NAME: "trunk", GITHUB_BASE_REF: "" }, "trunk"],
  [{ GITHUB_REF_TYPE: "branch", GITHUB_REF_NAME: "7/merge", GITHUB_BASE_REF: "trunk" }, "trunk"],
  [{ GITHUB_REF_TYPE: "tag", GITHUB_REF_NAME: "v1" }, undefined],
  [{}, undefined],
])("with %j, files are edited in %s", async (env, branch) => {
  expect(await findBranch(env, createRepository().folder, testHost().git)).toBe(branch)
})

test("outside CI, files are edited in the remote's default branch", async () => {
  const { folder, git } = createRepository()
  git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/release/1")
  expect(await findBranch({}, folder, testHost().git)).toBe("release/1")
  expect(await findBranch({}, folder, createGit({ PATH: "/nonexistent" }))).toBeUndefined()
})

test("a form is a workflow, or a job of GitLab's root file", async () => {
  const { folder, write } = createRepository()
  write(".gitlab-ci.yml", "build: { script: make }\n")
  expect(await findForms(folder)).toEqual([])
  write(".gitlab-ci.yml", "change-flag: { script: make }\n")
  write(".github/workflows/change-flag.yaml", "on: workflow_dispatch\n")
  expect(await findForms(folder)).toEqual(["github", "gitlab"])
})

describe("the repository's address", () => {
  const { folder } = createRepository()
  const find = (env: Record<string, string>) => findBaseUrl(env, folder, testHost().git)
  test("is nowhere without git", async () =>
    expect(await findBaseUrl({}, folder, createGit({ PATH: "/nonexistent" }))).toBeUndefined())
  test("is GitHub Actions' own", async () =>
    expect(await find({ GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "a/b" })).toBe(
      "https://github.com/a/b",
    ))
  test("is GitLab CI's own, whatever its host's name", async () =>
    expect(await find({ CI_PROJECT_URL: "https://code.example.com/a/b" })).toBe(
      "https://code.example.com/a/b/-",
    ))
})

test.each([
  ["https://github.com/acme/shop", "Add slots (#12)", "https://github.com/acme/shop/pull/12"],
  ["https://github.com/acme/shop", "Undo #12", undefined],
  ["https://gitlab.com/acme/shop", "Add slots (!12)", "https://gitlab.com/acme/shop/-/merge_requests/12"], // an issue
  [undefined, "Add slots (#12)", undefined],
])("at %s, %j names the request %s", (base, subject, address) => {
  expect(sourceLinks(base, "r").requestIn(subject)).toBe(address)
})
