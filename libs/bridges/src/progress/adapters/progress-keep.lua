-- Keep what is told under a card, as long as it is this worker who tells it and the card is known.
-- KEYS    1 lead   2 records   3 cards
-- ARGV    1 worker   2 field   3 record
-- RETURNS 1 kept · 0 another tells it, or the thread was forgotten: nothing was kept
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if redis.call('HEXISTS', KEYS[3], ARGV[2]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return 1
