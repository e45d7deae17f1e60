-- Notes that something was revoked now, by the store's clock. No two are of the same millisecond, so that whoever
-- knows all up to one of them can ask for those after it.
-- KEYS    1 revocations (sorted set: what was revoked, by when)   2 channel
-- ARGV    1 what   2 how long it is remembered (ms)
-- RETURNS when (ms)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local newest = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local at = now
if newest[2] and tonumber(newest[2]) >= at then at = tonumber(newest[2]) + 1 end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - tonumber(ARGV[2])))
redis.call('ZADD', KEYS[1], string.format('%.0f', at), ARGV[1])
redis.call('PUBLISH', KEYS[2], string.format('%.0f', at) .. ' ' .. ARGV[1])
return string.format('%.0f', at)
