/**
 * The arithmetic of `token-bucket.ts` in Lua, for a bucket that several proxies share. It uses the store's time, the
 * only clock that the proxies have in common. The state is as in `BucketState`; anything but two numbers counts as a
 * new bucket. A bucket that has not been used for as long as it takes to fill is forgotten, because it is full.
 *
 * KEYS: the bucket. ARGV: capacity; refill per second; how many tokens are asked for. Returns how many are granted;
 * what is left, as text with all its digits; and the milliseconds until there is a whole token again, 0 if there is
 * one. If none is granted, tokens and time stay as they were, unless the clock went back.
 */
export const takeScript = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local capacity, refill, asked = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local held = redis.call("HMGET", KEYS[1], "tokens", "at")
local before, at = tonumber(held[1]), tonumber(held[2])
if not (before and at and before >= 0 and at >= 0) then before, at = capacity, now end
local last = math.min(at, now)
local tokens = math.min(capacity, before + (now - last) * refill / 1000)

local granted = math.min(asked, math.floor(tokens + 1e-9))
local left = granted > 0 and math.max(0, tokens - granted) or tokens
if granted > 0 then before, last = left, now end

local function exact(number) return string.format("%.17g", number) end
local untilFull = math.ceil((capacity - left) * 1000 / refill)
redis.call("HSET", KEYS[1], "tokens", exact(before), "at", exact(last))
redis.call("PEXPIRE", KEYS[1], exact(math.min(untilFull + 1000, 1e11)))

local wait = left < 1 - 1e-9 and math.ceil((1 - 5e-10 - left) * 1000 / refill) or 0
return { granted, exact(left), wait }
`
