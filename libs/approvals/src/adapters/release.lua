-- Let go of a thread that is still held by this batch.
-- KEYS    1 the runs' hash of the thread
-- ARGV    1 batch id   2 tenant channel   3 message to publish
-- RETURNS 1 let go · 0 it was not held by this batch
if redis.call('HGET', KEYS[1], 'batch') ~= ARGV[1] then return 0 end
redis.call('HDEL', KEYS[1], 'batch')
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1
