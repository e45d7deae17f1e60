-- Replace parts of one batch if it is still the one that was judged.
-- KEYS    1 batch hash   2 outbox stream   3 trail stream, which nobody but its sealer may trim
-- ARGV    1 version judged   2 state judged   3 void from (ms; '' = never)   4 tenant channel
--         5 number of hash fields   then that many name, value pairs
--         then the number of outbox lines   then that many lines
--         then the number of records   then that many records
--         then the messages to publish
-- RETURNS 1 replaced · 0 changed meanwhile, nothing written · -1 too late, nothing written
local was = redis.call('HMGET', KEYS[1], 'v', 'state')
if was[1] ~= ARGV[1] or was[2] ~= ARGV[2] then return 0 end
if ARGV[3] ~= '' then
  local time = redis.call('TIME')
  if time[1] * 1000 + math.floor(time[2] / 1000) >= tonumber(ARGV[3]) then return -1 end
end
local at = 6
for _ = 1, tonumber(ARGV[5]) do
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1])
  at = at + 2
end
local lines = tonumber(ARGV[at])
at = at + 1
for _ = 1, lines do
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', '1000', '*', 'line', ARGV[at])
  at = at + 1
end
local records = tonumber(ARGV[at])
for i = at + 1, at + records do redis.call('XADD', KEYS[3], '*', 'record', ARGV[i]) end
for i = at + records + 1, #ARGV do redis.call('PUBLISH', ARGV[4], ARGV[i]) end
return 1
