-- Makes somebody the one writer of a tenant's trail, or keeps them so, unless it is another.
-- KEYS    1 writer
-- ARGV    1 who asks   2 how long it holds (ms)
-- RETURNS 1 is the writer · 0 another is
local writer = redis.call('GET', KEYS[1])
if writer and writer ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
