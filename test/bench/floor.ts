// The floor: plain node:http writing the same bytes and headers with no logic. argv: a JSON file of
// { status, headers, file, reads }; with `reads` it waits for the request's body, of which it keeps nothing.
import { readFileSync } from "node:fs"
import { createServer } from "node:http"

const { status, headers, file, reads } = JSON.parse(readFileSync(String(process.argv[2]), "utf8"))
const body = file === undefined ? undefined : readFileSync(file)
const server = createServer((req, res) => {
  const answer = () => {
    res.writeHead(status, headers)
    res.end(body)
  }
  if (reads) req.on("data", () => {}).on("end", answer)
  else answer()
})
server.keepAliveTimeout = 75_000
server.listen(Number(process.argv[3]), "127.0.0.1", () => process.stdout.write("ready\n"))
