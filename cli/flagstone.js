#!/usr/bin/env node
// In the repository Node runs the TypeScript itself. The published package has it as JavaScript in few files, because
// to load a file costs half a millisecond.
import { existsSync } from "node:fs"
import module from "node:module"

const [major, minor] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `flagstone: Node.js 22.19 or newer is needed; this is ${process.versions.node}. ` +
      "`npm install --save-dev node@24` gives a project its own, which npx and npm scripts use\n",
  )
  process.exit(2)
}
module.enableCompileCache?.() // Node keeps the compiled code for the next run
await import(existsSync(new URL("main.ts", import.meta.url)) ? "./main.ts" : "../build/bin/main.js")
