import { expect, test } from "vitest"
import { findCollision } from "../../../proxy/http/port-collision.ts"

test.each([
  ["one port on one address", "127.0.0.1", 8080, "127.0.0.1", 8080, true],
  ["one port on all addresses of both kinds", "::", 8080, "10.0.0.1", 8080, true],
  ["one port on a name and an address", "localhost", 8080, "127.0.0.1", 8080, true],
  ["one port on two addresses", "10.0.0.1", 8080, "127.0.0.1", 8080, false],
  ["two ports", "0.0.0.0", 8080, "0.0.0.0", 9090, false],
  ["any free ports", "0.0.0.0", 0, "0.0.0.0", 0, false],
  ["no metrics", "0.0.0.0", 8080, undefined, undefined, false],
] as const)("%s", (_, host, port, adminHost, adminPort, collides) => {
  const message = findCollision({ host, port, adminHost, adminPort })
  expect(message).toBe(
    collides ? "--port and --admin-port are both 8080; choose a different --admin-port" : undefined,
  )
})
