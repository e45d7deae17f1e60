-- Let the next worker tell it at once.
-- KEYS    1 lead
-- ARGV    1 worker
-- RETURNS 1 it was theirs · 0 another's
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
