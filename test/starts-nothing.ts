import childProcess from "node:child_process"
import { syncBuiltinESMExports } from "node:module"
import { Server } from "node:net"

// Set up before the tests of files without the tags `system` and `slow`, none of which starts anything.

function refuse(): never {
  throw new Error(
    "a test that starts a process, a browser or a server has the tag `system` (CONTRIBUTING.md)",
  )
}

Server.prototype.listen = refuse
for (const name of ["spawn", "fork", "exec", "execFile", "spawnSync", "execSync", "execFileSync"] as const)
  Object.assign(childProcess, { [name]: refuse })
syncBuiltinESMExports()
