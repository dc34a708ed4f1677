import { describe, expect, test } from "vitest"
import { parseStoreAddress } from "../../../proxy/rate-limit/store-address.ts"

const nobody = { username: undefined, password: undefined }

describe("what is read, and what is shown of it", () => {
  test.each([
    [
      "redis://redis.example",
      { socket: { host: "redis.example", port: 6379, tls: false }, ...nobody, database: 0 },
      "redis://redis.example:6379",
    ],
    [
      "rediss://limits:p%40ss%2Fword@redis.example:6380/3",
      {
        socket: { host: "redis.example", port: 6380, tls: true },
        username: "limits",
        password: "p@ss/word",
        database: 3,
      },
      "rediss://redis.example:6380/3",
    ],
    [
      "redis://:hush@[2001:db8::1]/",
      { socket: { host: "2001:db8::1", port: 6379, tls: false }, ...nobody, password: "hush", database: 0 },
      "redis://[2001:db8::1]:6379",
    ],
    [
      "unix:///run/redis%20one.sock",
      { socket: { path: "/run/redis one.sock" }, ...nobody, database: 0 },
      "unix:///run/redis%20one.sock",
    ],
    [
      "unix://limits:hush@/run/redis.sock?db=2",
      { socket: { path: "/run/redis.sock" }, username: "limits", password: "hush", database: 2 },
      "unix:///run/redis.sock?db=2",
    ],
  ])("%s", (text, parts, shown) => {
    expect(parseStoreAddress(text)).toEqual({ ...parts, shown })
  })
})

test.each([
  "",
  "redis.example:6379",
  "redis://",
  "redis://redis.example/first",
  "redis://redis.example/?db=1",
  "redis://redis.example:0",
  "redis://%zz@redis.example",
  "unix:///",
  "unix:run/redis.sock",
  "unix://redis.example/run/redis.sock",
  "unix:///run/redis.sock?db=one",
  "unix:///run/%zz",
])("%j is no address", (text) => {
  expect(parseStoreAddress(text)).toBeUndefined()
})
