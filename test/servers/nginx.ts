import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { freePort, untilListening } from "./ports.ts"

/** Whether this machine has nginx with its DAV module. */
export const hasNginx = /--with-http_dav_module/.test(
  spawnSync("nginx", ["-V"], { encoding: "utf8" }).stderr ?? "",
)

/** An nginx that runs `docs/nginx.conf` over its own folder. */
export interface TestNginx {
  /** The address for readers. */
  readonly url: string
  /** The address that takes PUT, with `authorization`. */
  readonly publishUrl: string
  readonly authorization: string
  readonly folder: string
  stop(): Promise<void>
}

export async function startNginx(): Promise<TestNginx> {
  const home = mkdtempSync(join(tmpdir(), "flagstone-nginx-"))
  const folder = join(home, "flags")
  mkdirSync(folder)
  const [port, publishPort] = [await freePort(), await freePort()]
  const users = join(home, "htpasswd")
  const password = execFileSync("openssl", ["passwd", "-apr1", "a-password"], { encoding: "utf8" })
  writeFileSync(users, `ci:${password}`)
  const servers = readFileSync(resolve(import.meta.dirname, "../../docs/nginx.conf"), "utf8")
    .replaceAll("/srv/flags", folder)
    .replaceAll("/etc/nginx/flagstone.htpasswd", users)
    .replace("listen 8080", `listen 127.0.0.1:${port}`)
    .replace("listen 127.0.0.1:8081", `listen 127.0.0.1:${publishPort}`)
  const paths = ["proxy", "fastcgi", "uwsgi", "scgi", "client_body"]
  writeFileSync(
    join(home, "nginx.conf"),
    `${process.getuid?.() === 0 ? "user root;\n" : ""}daemon off; pid ${home}/pid; error_log ${home}/error.log;
     events {}
     http { access_log off; ${paths.map((name) => `${name}_temp_path ${home}/${name};`).join(" ")}
     ${servers} }`,
  )
  const child = spawn("nginx", ["-p", home, "-e", join(home, "error.log"), "-c", join(home, "nginx.conf")], {
    stdio: "inherit",
  })
  await untilListening(publishPort)
  return {
    url: `http://127.0.0.1:${port}`,
    publishUrl: `http://127.0.0.1:${publishPort}`,
    authorization: `Basic ${Buffer.from("ci:a-password").toString("base64")}`,
    folder,
    stop: () => ended(child),
  }
}

/** An nginx that only passes requests on, to its origins in turn: its buffering has the default settings. */
export async function startNginxBefore(
  ...origins: readonly string[]
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), "flagstone-nginx-"))
  const port = await freePort()
  const paths = ["proxy", "fastcgi", "uwsgi", "scgi", "client_body"]
  writeFileSync(
    join(home, "nginx.conf"),
    `${process.getuid?.() === 0 ? "user root;\n" : ""}daemon off; pid ${home}/pid; error_log ${home}/error.log;
     events {}
     http { access_log off; ${paths.map((name) => `${name}_temp_path ${home}/${name};`).join(" ")}
     upstream origins { ${origins.map((origin) => `server ${new URL(origin).host};`).join(" ")} }
     server { listen 127.0.0.1:${port}; location / {
       proxy_pass http://origins; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; } } }`,
  )
  const child = spawn("nginx", ["-p", home, "-e", join(home, "error.log"), "-c", join(home, "nginx.conf")], {
    stdio: "inherit",
  })
  await untilListening(port)
  return { url: `http://127.0.0.1:${port}`, stop: () => ended(child) }
}

/** Ends a server and waits for it. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((done) => {
    child.once("exit", done)
    child.kill("SIGTERM")
  })
}
