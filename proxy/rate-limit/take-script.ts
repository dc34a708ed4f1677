/** What the store keeps lies under this prefix: an ACL needs no other keys. */
export const keyPrefix = "flagstone:"

/**
 * The arithmetic of `token-bucket.ts` in Lua, for a bucket that several proxies share. Time is the store's, the only clock
 * that they have in common. State and its meaning are those of `BucketState`; a bucket that nobody has drawn on
 * for as long as it takes to fill is forgotten, because that is the same as full.
 *
 * KEYS: the bucket. ARGV: capacity; refill per second; tokens to settle first (above 0 given back; below 0 spent without
 * asking, which may leave a debt of what a second refills); tokens that requests wait for; tokens to lease beyond these,
 * granted up to an eighth of what is left, so that the last ones go one by one however many proxies ask.
 *
 * Returns the tokens granted; what is left, as text with all its digits; and the milliseconds until there is a whole token
 * again, 0 where there is one. A refusal changes nothing, unless the clock went back.
 */
export const takeScript = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local capacity, refill = tonumber(ARGV[1]), tonumber(ARGV[2])
local settle, need, lease = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])

local held = redis.call("HMGET", KEYS[1], "tokens", "at")
local before, at = tonumber(held[1]) or capacity, tonumber(held[2]) or now
local last = math.min(at, now)
local refilled = math.min(capacity, before + (now - last) * refill / 1000)
local tokens = math.min(capacity, refilled + settle)
if settle < 0 then tokens = math.max(tokens, math.min(refilled, -refill)) end

local whole = math.max(0, math.floor(tokens + 1e-9))
local needed = math.min(need, whole)
local granted = needed + math.max(0, math.min(lease, math.floor((whole - needed) / 8)))
local left = tokens - granted
if granted > 0 then left = math.max(0, left) end

local function exact(number) return string.format("%.17g", number) end
if granted > 0 or settle ~= 0 then
  local untilFull = math.ceil((capacity - left) * 1000 / refill)
  redis.call("HSET", KEYS[1], "tokens", exact(left), "at", exact(now))
  redis.call("PEXPIRE", KEYS[1], exact(math.min(untilFull + 1000, 1e11)))
elseif last < at then
  redis.call("HSET", KEYS[1], "at", exact(last))
end

local wait = 0
if left < 1 - 1e-9 then wait = math.ceil((1 - 5e-10 - left) * 1000 / refill) end
return { granted, exact(left), wait }
`

/**
 * Notes that a proxy is alive, and returns how many have been in the last 10 s of the store's time. KEYS: the set of all
 * proxies. ARGV: the name of this one.
 */
export const aliveScript = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now - 10000)
redis.call("ZADD", KEYS[1], now, ARGV[1])
redis.call("PEXPIRE", KEYS[1], 60000)
return redis.call("ZCARD", KEYS[1])
`
