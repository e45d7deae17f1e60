-- Keep a dead letter, and no more of them than that.
-- KEYS    1 order   2 texts
-- ARGV    1 id   2 when it was given up (ms)   3 letter   4 most of them
-- RETURNS how many had to go
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
local over = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[4])
if over <= 0 then return 0 end
local gone = redis.call('ZRANGE', KEYS[1], 0, over - 1)
for _, id in ipairs(gone) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('HDEL', KEYS[2], id)
end
return #gone
