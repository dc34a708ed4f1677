import { spawn } from "node:child_process"
import { type AddressInfo, createServer, type Socket } from "node:net"

// git.exe of git-shim.c sends a count of 32 bits; then, as frames of a length and bytes, its folder, its arguments, its
// variables up to an empty frame, and its input up to an empty frame.

/** A git on this machine for programs under Wine. */
export interface GitServer {
  readonly port: number
  stop(): Promise<void>
}

/** Runs git for each connection. `Z:\x` under Wine is `/x` here, and folders that git prints become `Z:/x` again. */
export async function startGitServer(): Promise<GitServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
    void serve(socket).catch(() => socket.destroy())
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

async function serve(socket: Socket): Promise<void> {
  const read = createReader(socket)
  const frame = async () => read((await read(4)).readUInt32LE())
  const count = (await read(4)).readUInt32LE()
  const cwd = here((await frame()).toString())
  const args: string[] = []
  for (let at = 1; at < count; at++)
    args.push((await frame()).toString().replace(/(?<=^|=)[Zz]:[\\/].*$/, here))
  const env: NodeJS.ProcessEnv = { ...process.env }
  for (let text = await frame(); text.length > 0; text = await frame()) {
    const [name = "", ...value] = text.toString().split("=")
    env[name] = here(value.join("="))
  }
  const answer = (kind: number, number: number, bytes: Buffer = Buffer.alloc(0)) => {
    const head = Buffer.alloc(8)
    head.writeUInt32LE(kind, 0)
    head.writeUInt32LE(number, 4)
    socket.write(Buffer.concat([head, bytes]))
  }
  const git = spawn("git", args, { cwd, env })
  socket.once("close", () => git.kill())
  git.stdin.on("error", () => undefined)
  git.stdout.on("data", (chunk: Buffer) => {
    const out = args.some((arg) => folderOptions.includes(arg)) ? there(chunk) : chunk
    answer(1, out.length, out)
  })
  git.stderr.on("data", (chunk: Buffer) => answer(2, chunk.length, chunk))
  git.once("close", (status) => {
    answer(0, status ?? 1)
    socket.end()
  })
  for (let input = await frame(); input.length > 0; input = await frame()) git.stdin.write(input)
  git.stdin.end()
}

const folderOptions = ["--show-toplevel", "--git-dir", "--git-path", "--absolute-git-dir", "--git-common-dir"]

function here(path: string): string {
  return /^[Zz]:[\\/]/.test(path) ? path.slice(2).replaceAll("\\", "/") : path
}

function there(printed: Buffer): Buffer {
  return Buffer.from(printed.toString().replaceAll(/^\//gm, "Z:/"))
}

/** Resolves to the next bytes; rejects if the connection ends before them. */
function createReader(socket: Socket): (length: number) => Promise<Buffer> {
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let rest: Buffer = Buffer.alloc(0)
  return async (length) => {
    while (rest.length < length) {
      const { done, value } = await chunks.next()
      if (done === true) throw new Error("the connection ended")
      rest = Buffer.concat([rest, value])
    }
    const bytes = rest.subarray(0, length)
    rest = rest.subarray(length)
    return bytes
  }
}
