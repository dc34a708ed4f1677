// Compares a release's tag and address with what the packages say, before anything is built. It prints all that differs.
import { readFileSync } from "node:fs"

const { GITHUB_REF_NAME: tag, GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: path } = process.env
const read = (file) => readFileSync(file, "utf8")
const version = (file) => `v${JSON.parse(read(file)).version}`
const line = (file, pattern) => pattern.exec(read(file))?.[1]

const expected = [
  ["the version in package.json", version("package.json"), tag],
  ["the version in sdk/package.json", version("sdk/package.json"), tag],
  [
    "the version in sdk/python/pyproject.toml",
    `v${line("sdk/python/pyproject.toml", /^version = "(.*)"$/m)}`,
    tag,
  ],
  [
    "the version of the extra cli in sdk/python/pyproject.toml",
    `v${line("sdk/python/pyproject.toml", /^cli = \["flagstone-cli==(.*)"\]$/m)}`,
    tag,
  ],
  ["the version in sdk/java/pom.xml", `v${line("sdk/java/pom.xml", /^ {2}<version>(.*)<\/version>$/m)}`, tag],
  [
    "the group in sdk/java/pom.xml",
    line("sdk/java/pom.xml", /^ {2}<groupId>(.*)<\/groupId>$/m),
    `io.github.${path?.split("/")[0]?.toLowerCase()}`,
  ],
  ["the newest section of CHANGELOG.md", `v${line("CHANGELOG.md", /^## (\S+)$/m)}`, tag],
  [
    "repository.url in package.json",
    JSON.parse(read("package.json")).repository?.url,
    `git+${server}/${path}.git`,
  ],
  [
    "the module in sdk/go/go.mod",
    line("sdk/go/go.mod", /^module (.*)$/m),
    `${server?.replace("https://", "")}/${path}/sdk/go`,
  ],
]
const wrong = expected.filter(([, found, wanted]) => found !== wanted)
for (const [what, found, wanted] of wrong)
  process.stdout.write(`::error::${what} is ${found ?? "missing"}, not ${wanted}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1
