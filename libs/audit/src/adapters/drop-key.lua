-- Forgets the key of a subject.
-- KEYS    1 keys (hash: s:<subject> → id, k:<id> → secret)
-- ARGV    1 subject
-- RETURNS 1 forgotten · 0 there was none
local id = redis.call('HGET', KEYS[1], 's:' .. ARGV[1])
if not id then return 0 end
redis.call('HDEL', KEYS[1], 's:' .. ARGV[1], 'k:' .. id)
return 1
