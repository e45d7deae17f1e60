-- Let a lane go, unless something in it has become due.
-- KEYS    1 lane   2 lead   3 hold
-- ARGV    1 worker
-- RETURNS 'due' it stays theirs · else when the next is due (ms; '' = nothing is in it)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local lead = redis.call('GET', KEYS[2])
local held = redis.call('EXISTS', KEYS[3]) == 1
if lead == ARGV[1] and first[2] and tonumber(first[2]) <= now and not held then return 'due' end
if lead == ARGV[1] then redis.call('DEL', KEYS[2]) end
if not first[2] then return '' end
return string.format('%.0f', math.ceil(tonumber(first[2])))
