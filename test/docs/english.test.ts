import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { commandTable } from "../../cli/command-table.ts"
import { run } from "../../cli/program.ts"
import { commandNames } from "../command-names.ts"
import { testHost } from "../test-host.ts"
import { pages, root } from "./pages.ts"

/** What no native engineer would write. A phrase is added once it appears nowhere. */
const phrases = [
  /\banother (value|order|type than)\b/,
  /\bcount in proportion\b/,
  /\bFound on the way\b/,
  /\bboth sides already\b/,
  /\(first in line \d/,
  /\bpublisher was faster\b/,
  /\bignores conditions on\b/,
  /\bpunctuation than\b/,
  /A text that begins so/,
  /all there get/,
  /\bbut its neighbours in column/,
  /\bcloses the door\b/,
  /\bdealt again\b/,
  /\bgo(es)? on to the next rule\b/,
  /\bhas a use of its own for\b/,
  /\bis a version (from|up to)\b/,
  /\bno case comes to\b/,
  /\bno condition excepts\b/,
  /\bno context is known\b/,
  /\bnone of Flagstone's\b/,
  /\d flags? gives? other values/,
  /paste one, and/i,
  /\bProxies from before\b/,
  /\b(get no|No) \w+ any more\b/,
  /\bSay what users get\b/,
  /\bsays nothing of (it|them)\b/,
  /\bSend what build made\b/,
  /\bshows and serves them\b/,
  /\btell other tools of\b/,
  /\bthere was `for`/,
  /\bwhat does a context get\b/,
  /\bwhatever it matches\b/,
  /\bWho (falls|listens|polls|waits)\b/,
  /\bwhom (it decides for|the shares leave)\b/,
  /\bwill soon not be read\b/,
  /\bdefault that stands in\b/,
  /\bCode goes on as if\b/,
  /\ba rule that `?\w+`? has not\b/,
  /\bbelongs? to the text here\b/,
  /\bdoes not work on that\b/,
  /\bgoes on here\b/,
  /\bis other users\b/,
  /\bknows A to Z alone\b/,
  /\bno one can be (dealt|split) by\b/,
  /\bnone of the project's\b/,
  /\bstands? in place of `/,
  /\bstand for each other\b/,
  /\bthis condition holds for no one\b/,
  /\bwhom no condition\b/,
  /\bever more seldom\b/,
  /\bless and less often\b/,
  /\bcome from strangers\b/,
  /\b(the|which) value (that )?stays\b/,
  /\b(in|of) small letters\b/,
  /\bis here twice\b/,
  /\bis of no use\b/,
  /\bno one said\b/,
  /\bunless said\b/,
  /\bA text that begins with\b/,
  /\bas it travels\b/,
  /\bcannot stand (here|side by side)\b/,
  /\bis there once\b/,
  /\bMake them flatter\b/,
  /\bthat it matches before it\b/,
  /\bUntil then the changes\b/,
  /\bWhat (became|can be made) of\b/,
  /\bWhat is (no|said of)\b/i,
  /\bchoose another\b/,
  /\bif you mean that\b/,
  /\bis not what its manifest says\b/,
  /\breads back as something\b/,
  /\bthe only thing that the key may\b/,
  /\bwhat these flags give\b/,
  /, as the flag's type is\b/,
  /\bGlobs start at\b/,
  /\ban item of the list of `/,
  /\bleads out of the flags folder\b/,
  /\bone whole name\b/,
  /\bonly whether there is a match counts\b/,
  /\bRE2 (does not have|has the groups|knows)\b/,
  /\bSDKs know\b(?! what)/,
  /\bwhich is one of [^.]*` or `/,
  /\blist (both|it|the name) below\b/,
  /\bneeds the member\b/,
  /\bUnknown member\b/,
  /\bYAML readers see\b/,
  /\bNothing is in an empty list\b/,
  /\bonly where an attribute is a list\b/,
  /\bWith this one, the shares\b/,
  /\bmistakes that have only one fix\b/,
  /\bcreates a project that builds\b/,
  /\bquestions that are asked most\b/,
  /\bthat clients read flags with\b/,
  /\bin the form that project\.yaml takes\b/,
]

/** Golden files also quote what authors of flags write. */
const anyBody = /\b(any|every|no|some)body\b/i

async function readTexts(): Promise<ReadonlyMap<string, string>> {
  const texts = new Map(pages.map(({ path, text }) => [path, text]))
  for (const folder of ["cli", "proxy", "sdk", "test/golden"])
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(ts|txt|md|json|ya?ml)$/.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      texts.set(path.slice(root.length + 1), readFileSync(path, "utf8"))
    }
  for (const words of commandNames(commandTable)) {
    const host = testHost()
    await run([...words, "--help"], host, "0.0.0")
    texts.set(`flagstone ${words.join(" ")} --help`, host.out())
  }
  return texts
}

test("no phrase returns to help, messages, pages and golden files", async () => {
  const found = [...(await readTexts())].flatMap(([path, text]) =>
    text.split("\n").flatMap((line, index) => {
      const isFound = phrases.some((phrase) => phrase.test(line))
      const isAnyBody = anyBody.test(line) && !path.startsWith("test/golden/")
      return isFound || isAnyBody ? [`${path}:${index + 1}: ${line.trim()}`] : []
    }),
  )
  expect(found).toEqual([])
})
