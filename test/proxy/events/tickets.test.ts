import { expect, test } from "vitest"
import { createTickets } from "../../../proxy/events/tickets.ts"

const hour = 3_600_000
const noon = Date.parse("2026-12-01T12:00:00.000Z")
const tickets = createTickets("a secret")
const digest = "0".repeat(64)
const page = { id: "page", digest }
const find = (id: string) => ({ id, digest })

test.each(["page", "run:production", "x".repeat(128)])("is one for a key and an hour: %s", (id) => {
  const key = find(id)
  const ticket = tickets.issue(key, noon)
  expect(tickets.issue(key, noon + hour - 1)).toBe(ticket)
  expect(tickets.issue(key, noon + hour)).not.toBe(ticket)
  expect(tickets.issue(find("another"), noon)).not.toBe(ticket)
  expect(encodeURIComponent(ticket).replace("%3A", ":")).toBe(ticket)
  expect(tickets.verify(ticket, noon, find)).toEqual(key)
})

test("is valid for its hour and the next two, even if another proxy's clock is a little behind", () => {
  const ticket = tickets.issue(page, noon)
  const isGoodAt = (now: number) => tickets.verify(ticket, now, find) !== undefined
  expect([noon + 3 * hour - 1, noon + 3 * hour].map(isGoodAt)).toEqual([true, false])
  expect([noon - 1, noon - hour, noon - hour - 1].map(isGoodAt)).toEqual([true, true, false])
})

test("is invalid if any part of it is changed", () => {
  const ticket = tickets.issue(page, noon)
  const [id, at, mac = ""] = ticket.split(".")
  for (const other of [
    `pages.${at}.${mac}`,
    `${id}.${Number(at) + 1}.${mac}`,
    `${id}.0${at}.${mac}`,
    `${id}.${at}.${mac.slice(1)}`,
    `${id}.${at}.${mac}x`,
    `${id}.${at}.${"A".repeat(43)}`,
    `${id}.NaN.${mac}`,
    `${ticket}\n`,
    "",
    "..",
  ])
    expect(tickets.verify(other, noon, find), other).toBe(undefined)
  for (let at = 0; at < mac.length - 1; at++) {
    const flipped = mac[at] === "A" ? "B" : "A"
    const other = ticket.slice(0, -mac.length) + mac.slice(0, at) + flipped + mac.slice(at + 1)
    expect(tickets.verify(other, noon, find)).toBe(undefined)
  }
})

test("is valid only with the same secret", () => {
  const ticket = tickets.issue(page, noon)
  expect(createTickets("a secret").verify(ticket, noon, find)).toEqual(page)
  expect(createTickets("another").verify(ticket, noon, find)).toBe(undefined)
})

test("is invalid once its key is gone, or has a different secret under the same id", () => {
  const ticket = tickets.issue(page, noon)
  expect(tickets.verify(ticket, noon, () => undefined)).toBe(undefined)
  expect(tickets.verify(ticket, noon, (id) => ({ id, digest: "1".repeat(64) }))).toBe(undefined)
})
