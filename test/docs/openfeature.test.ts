// @module-tag system
import { execFileSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { buildFiles, createKeySource, createMapSource, mintKey, named } from "../proxy/fixtures.ts"
import { flagOf } from "../proxy/ofrep/evaluated-flags.ts"
import { startTestProxy } from "../proxy/start-proxy.ts"
import { deliverySlots, readProgram } from "./openfeature-programs.ts"
import { runOnNode } from "./run-program.ts"
import { isInstalled } from "./runner.ts"

// Browsers' program is run by test/sdk/openfeature/browser.test.ts, those of other languages by `npm run test:clients`,
// which also runs them all against a proxy as it is deployed.

test("the program for Node of docs/openfeature.md prints what it says", async () => {
  const { proxy, secret } = await startTestProxy({
    snapshots: [createMapSource(buildFiles({ production: [deliverySlots] }))],
  })
  const program = readProgram("js", "node", proxy.url)
  expect(await runOnNode(program, { FLAGSTONE_API_KEY: secret })).toBe("true\n")
})

test("the program of docs/teams.md reads two projects", async () => {
  const [shop, payments] = ["shop", "payments"].map((project) => mintKey({ id: project, project }))
  const refunds = buildFiles({ production: [flagOf("instant-refund", "boolean", true)] })
  const { proxy } = await startTestProxy({
    snapshots: [
      createMapSource(buildFiles({ production: [deliverySlots] })),
      createMapSource(named("payments", refunds)),
    ],
    keys: createKeySource([shop, payments].flatMap((key) => key?.record ?? [])),
  })
  const program = readProgram("js", "two-projects", proxy.url, "docs/teams.md")
  const env = { SHOP_KEY: shop?.secret, PAYMENTS_KEY: payments?.secret }
  expect(await runOnNode(program, env)).toBe("true\ntrue\n")
})

const nested = `{"id": "ann", "address": {"country": "DE", "geo": {"zone": 7, "constructor": "BER"}}, "plans": ["pro"], "empty": {}}`
const flat = {
  ...{ id: "ann", plans: ["pro"], "address.country": "DE" },
  ...{ "address.geo.zone": 7, "address.geo.constructor": "BER" }, // a name that objects inherit in JavaScript
}
const goProgram = (flatten: string) => `package main

import (
	"encoding/json"
	"fmt"
)

${flatten}
func main() {
	var context map[string]any
	json.Unmarshal([]byte(\`${nested}\`), &context)
	text, _ := json.Marshal(flatten(context, "", map[string]any{}))
	fmt.Println(string(text))
}
`

const javaProgram = (flatten: string) => `import java.util.*;

class Main {
${flatten}
  public static void main(String[] args) {
    Map<String, Object> address = Map.of("country", "DE", "geo", Map.of("zone", 7, "constructor", "BER"));
    Map<String, Object> flat = flatten(
        Map.of("id", "ann", "address", address, "plans", List.of("pro"), "empty", Map.of()), "");
    List<String> members = new ArrayList<>();
    flat.forEach((name, value) -> members.add(json(name) + ":" + json(value)));
    System.out.println("{" + String.join(",", members) + "}");
  }

  static String json(Object value) {
    if (value instanceof List) return "[" + json(((List<?>) value).get(0)) + "]";
    return value instanceof String ? "\\"" + value + "\\"" : value.toString();
  }
}
`

test("flatten in JavaScript keeps instances of classes, and flattens objects without a prototype", async () => {
  const given = `{ id: new (class { toJSON() { return "ann" } })(), at: new Date(0), q: Object.assign(Object.create(null), { a: 1 }) }`
  const program = `${readProgram("js", "flatten", "")}\nconsole.log(JSON.stringify(flatten(${given})))`
  expect(JSON.parse(await runOnNode(program, {}))).toEqual({
    id: "ann",
    at: "1970-01-01T00:00:00.000Z",
    "q.a": 1,
  })
})

test.each<readonly [string, string, (flatten: string) => Promise<string> | string]>([
  ["js", "node", (flatten) => runOnNode(`${flatten}\nconsole.log(JSON.stringify(flatten(${nested})))`, {})],
  [
    "python",
    "python3",
    (flatten) => {
      const print = `import json\nprint(json.dumps(flatten(json.loads('${nested}'))))`
      return execFileSync("python3", ["-c", `${flatten}\n${print}`], { encoding: "utf8" })
    },
  ],
  [
    "go",
    "go",
    (flatten) => {
      const file = join(mkdtempSync(join(tmpdir(), "flagstone-go-")), "main.go")
      writeFileSync(file, goProgram(flatten))
      return execFileSync("go", ["run", file], { encoding: "utf8" })
    },
  ],
  [
    "java",
    "java",
    (flatten) => {
      const file = join(mkdtempSync(join(tmpdir(), "flagstone-java-")), "Main.java")
      writeFileSync(file, javaProgram(flatten))
      return execFileSync("java", [file], { encoding: "utf8" })
    },
  ],
])("flatten in %s gives a flat context", async (language, tool, run) => {
  if (!isInstalled(tool, `flatten in ${language}`)) return
  expect(JSON.parse(await run(readProgram(language, "flatten", "")))).toEqual(flat)
})
