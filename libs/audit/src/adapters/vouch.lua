-- Keeps a checkpoint as the last one, if it names the one before it.
-- KEYS    1 head (hash: c line of the last checkpoint)   2 checkpoints (stream)   3 writer
-- ARGV    1 who writes   2 the last line ('' none)   3 number   4 line
-- RETURNS 1 kept · 0 another came first, or is the writer
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return 0 end
if (redis.call('HGET', KEYS[1], 'c') or '') ~= ARGV[2] then return 0 end
redis.call('XADD', KEYS[2], ARGV[3] .. '-0', 'c', ARGV[4])
redis.call('HSET', KEYS[1], 'c', ARGV[4])
return 1
