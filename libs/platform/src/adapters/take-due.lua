-- Take the members whose time has come, earliest first; nobody else is given them for a while.
-- KEYS    1 due index
-- ARGV    1 most of them   2 for how long (ms)
-- RETURNS the mark they bear while they are taken, then the members
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local members = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'LIMIT', '0', ARGV[1])
-- A half millisecond: no watch is ever set to such a time, so that a later one is seen.
local mark = string.format('%.1f', now + tonumber(ARGV[2]) + 0.5)
for _, member in ipairs(members) do redis.call('ZADD', KEYS[1], mark, member) end
table.insert(members, 1, mark)
return members
