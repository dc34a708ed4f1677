#!/usr/bin/env node
// In the repository Node runs the TypeScript itself. The published package contains it as JavaScript in a few files,
// because loading a file costs half a millisecond.
const [major, minor] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `flagstone: Node.js 22.19 or newer is needed; this is ${process.versions.node}. ` +
      "`npm install --save-dev node@24` gives a project its own, which npx and npm scripts use\n",
  )
  process.exit(2)
}
// Signals have no default action for process 1 of a container: one that no command listens for would be lost.
if (process.pid === 1) {
  for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15 })) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + number)
    })
  }
}
// An import would also load what is not needed here, such as streams.
const { existsSync } = process.getBuiltinModule("node:fs")
process.getBuiltinModule("node:module").enableCompileCache() // Node keeps the compiled code for the next run
await import(existsSync(new URL("main.ts", import.meta.url)) ? "./main.ts" : "../build/bin/main.js")
