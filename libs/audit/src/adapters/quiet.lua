-- Lets go of a thread that has announced no record for long and has none waiting.
-- KEYS    1 pending (sorted set)
-- ARGV    1 thread   2 the score it was seen with
-- RETURNS 1 let go · 0 it has announced one since
if redis.call('ZSCORE', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
return redis.call('ZREM', KEYS[1], ARGV[1])
