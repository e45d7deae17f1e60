-- Take what a person pressed, once: it is known again, and waits to be done, from this step on.
-- KEYS    1 that it was taken   2 the clicks that are not done yet (score: when the next may take one over, ms)
-- ARGV    1 the click   2 for how long it is ours (ms)   3 for how long it is known again (ms)   4 most that may wait
-- RETURNS the mark it bears while it is ours · 'again' it was taken before · 'full' too many are waiting
if redis.call('EXISTS', KEYS[1]) == 1 then return 'again' end
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then return 'full' end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- A half millisecond, as the marks of all that is taken from such a set have.
local mark = string.format('%.1f', now + tonumber(ARGV[2]) + 0.5)
redis.call('SET', KEYS[1], '1', 'PX', ARGV[3])
redis.call('ZADD', KEYS[2], mark, ARGV[1])
return mark
