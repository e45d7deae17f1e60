-- Forgets a thread whole: its log and all that its slot holds of it, in one step.
-- KEYS    1 meta  2 log  3 channel  4 snapshots  5 keeper
-- ARGV    1 number of guards, then for each: key field value ('' = absent); then the keys that go with the log
-- RETURNS 1, or 0 when a guard no longer holds and nothing was done
-- As in append.lua the keys of ARGV carry the thread's hash tag, which keeps them in its slot.

local tag = string.match(KEYS[1], '{(.-)}')
local guards = tonumber(ARGV[1])

local function own(key)
  if string.match(key, '{(.-)}') ~= tag then error('forget refused: key ' .. key .. ' is not of this thread') end
  return key
end

for i = 0, guards - 1 do
  local key, field, equals = own(ARGV[3 * i + 2]), ARGV[3 * i + 3], ARGV[3 * i + 4]
  if (redis.call('HGET', key, field) or '') ~= equals then return 0 end
end
for i = 3 * guards + 2, #ARGV do own(ARGV[i]) end
for i = 3 * guards + 2, #ARGV do redis.call('DEL', ARGV[i]) end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[4], KEYS[5])
redis.call('SPUBLISH', KEYS[3], 'r ')
return 1
