-- Take the members whose time has come, earliest first; nobody else is given them for a while.
-- KEYS    1 due index
-- ARGV    1 most of them   2 for how long (ms)
-- RETURNS the mark they bear while they are taken, then the members
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.2f', now + 0.5), 'WITHSCORES', 'LIMIT', '0', ARGV[1])
-- A half millisecond: no watch is ever set to such a time, so that a later one is seen.
local whole = now + tonumber(ARGV[2])
local mark = string.format('%.1f', whole + 0.5)
local members = { mark }
for i = 1, #found, 2 do
  -- What was watched when it was overdue is looked at once more, whatever its taker makes of it.
  local is_early = tonumber(found[i + 1]) % 1 == 0.25
  redis.call('ZADD', KEYS[1], is_early and string.format('%.0f', whole) or mark, found[i])
  table.insert(members, found[i])
end
return members
