-- Put back what was taken, unless it was watched anew meanwhile.
-- KEYS    1 due index
-- ARGV    1 member   2 the mark it bears while it is taken   3 when to look again (ms; '' = never)
-- RETURNS 1 put back or dropped · 0 watched anew, nothing written
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '' then redis.call('ZREM', KEYS[1], ARGV[1])
else redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
return 1
