-- Let one worker tell a run under a card, or go on with it.
-- KEYS    1 lead
-- ARGV    1 worker   2 for how long (ms)
-- RETURNS 1 it is theirs · 0 another's
local lead = redis.call('GET', KEYS[1])
if lead and lead ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
