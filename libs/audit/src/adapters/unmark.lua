-- Forgets how far a source is sealed, if it still is what was read: an empty one is read from its beginning.
-- KEYS    1 marks (hash)
-- ARGV    1 source   2 the id read
-- RETURNS 1 forgotten · 0 it went on
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
return redis.call('HDEL', KEYS[1], ARGV[1])
