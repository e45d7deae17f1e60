-- The key of a subject; the offered one where there is none.
-- KEYS    1 keys (hash: s:<subject> → id, k:<id> → secret)
-- ARGV    1 subject   2 id offered   3 secret offered
-- RETURNS {id, secret}
local id = redis.call('HGET', KEYS[1], 's:' .. ARGV[1])
if not id then
  id = ARGV[2]
  redis.call('HSET', KEYS[1], 's:' .. ARGV[1], id, 'k:' .. id, ARGV[3])
end
return { id, redis.call('HGET', KEYS[1], 'k:' .. id) }
