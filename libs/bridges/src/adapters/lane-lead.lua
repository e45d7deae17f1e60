-- Let one worker work a lane through, or go on with it, unless its destination wants to be left alone.
-- KEYS    1 lead   2 hold
-- ARGV    1 worker   2 for how long (ms)
-- RETURNS 0 it is theirs · -1 another's · else the milliseconds it is to be left alone for
local held = redis.call('PTTL', KEYS[2])
if held > 0 then return held end
local lead = redis.call('GET', KEYS[1])
if lead and lead ~= ARGV[1] then return -1 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 0
