import { join } from "node:path"
import { expect, test } from "vitest"
import { commandTable } from "../../cli/command-table.ts"
import { run } from "../../cli/program.ts"
import { commandNames } from "../command-names.ts"
import { golden } from "../golden-page.ts"
import { testHost } from "../test-host.ts"

// test/golden/help.txt is what each command's --help prints; `npx vitest run help -u` writes it.

test("help of every command", async () => {
  let all = ""
  for (const command of [[], ...commandNames(commandTable)]) {
    const host = testHost()
    expect(await run([...command, "--help"], host, "1.2.3")).toBe(0)
    all += `$ ${["flagstone", ...command].join(" ")} --help\n${host.out()}${host.err()}\n`
  }
  await expect(all).toMatchFileSnapshot(join(golden, "help.txt"))
})
