import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { cloneProject, environment } from "../../docs/example-project.ts"
import { recordShown } from "../../secrets/record.ts"
import { freePort } from "../../servers/ports.ts"

const root = resolve(import.meta.dirname, "../../..")

/** A folder that stands for a machine with systemd. Commands that need root are only recorded. */
export interface Machine {
  readonly folder: string
  readonly port: number
  /** Runs shell lines that name paths such as /etc/flagstone. */
  readonly run: (lines: string) => Promise<{ readonly status: number; readonly output: string }>
  readonly stop: () => Promise<void>
}

/** `systemctl enable --now` starts what the unit starts, with the variables of the unit and of its
 * EnvironmentFile, and nothing else. */
export async function createMachine(unit: string): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-machine-"))
  const [port, adminPort] = [await freePort(), await freePort()]
  const home = join(folder, "home")
  cpSync(cloneProject(), home, { recursive: true, verbatimSymlinks: true })
  cpSync(join(root, "proxy/deploy"), join(folder, "lib/flagstone/proxy/deploy"), { recursive: true })
  const flagstone = `${process.execPath} ${join(root, "cli/flagstone.js")}`
  const here = (text: string) =>
    text
      .replace(/\/(etc|var)\//g, (path) => `${folder}${path}`)
      .replace(/\b8080\b/g, String(port))
      .replace(/\b9090\b/g, String(adminPort))
      .replace(/\/usr\/bin\/flagstone/g, flagstone)
  const variables = [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, words]) => here(words ?? "")).join(" ")
  const start = here(/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? "exit 9")
  const file = here(/^EnvironmentFile=-(.*)$/m.exec(unit)?.[1] ?? "")
  const override = `if [ -f ${file} ]; then set -a; . ${file}; fi;`
  const programs = {
    flagstone: `exec ${flagstone} "$@"`,
    npm: `if [ "$1" = root ]; then echo ${folder}/lib; fi`, // where `npm install -g` puts packages
    useradd: "",
    runuser: 'shift 3; exec "$@"',
    chown: `echo "$@" | sed 's|${folder}||' >> ${folder}/owners`,
    systemctl: `case "$1" in enable) env -i PATH="$PATH" ${variables} sh -c 'echo $$ > ${folder}/pid; ${override} exec ${start}' > ${folder}/log 2>&1 & ;; esac`,
  }
  const bin = join(folder, "bin")
  for (const path of [bin, join(folder, "etc/systemd/system")]) mkdirSync(path, { recursive: true })
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return {
    folder,
    port,
    async run(lines) {
      const env = { ...environment(), PATH: `${bin}:${process.env.PATH}` }
      const ran = promisify(execFile)("bash", ["-ec", here(lines)], { cwd: home, env })
      const { stdout, stderr, code = 0 } = await ran.catch((error) => error)
      recordShown(readFileSync(join(home, "secret.txt"), "utf8"))
      return { status: code, output: stdout + stderr }
    },
    async stop() {
      try {
        process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), "SIGKILL")
      } catch {
        // It never started: the test's expectation will fail.
      }
    },
  }
}
