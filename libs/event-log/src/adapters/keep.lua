-- Stores a snapshot of a thread and lets go of what it makes needless.
-- KEYS    1 meta  2 log  3 snapshots (hash: e epoch, <seq> text of each)  4 keeper (lease of who makes a snapshot)
-- ARGV    1 epoch  2 seq  3 text  4 holder of the lease  5 trim the log up to this seq (0: not at all)
--         6.. seqs of snapshots to let go of
-- RETURNS kept | stale: the log is another one, has not come so far, has a snapshot further on, or the lease is lost

local epoch, seq = ARGV[1], tonumber(ARGV[2])
local meta = redis.call('HMGET', KEYS[1], 'e', 's', 'f')
if redis.call('GET', KEYS[4]) ~= ARGV[4] then return 'stale' end
redis.call('DEL', KEYS[4])
if meta[1] ~= epoch or tonumber(meta[2]) < seq then return 'stale' end

if redis.call('HGET', KEYS[3], 'e') == epoch then
  for _, field in ipairs(redis.call('HKEYS', KEYS[3])) do
    if (tonumber(field) or 0) >= seq then return 'stale' end
  end
else
  redis.call('DEL', KEYS[3])
end

redis.call('HSET', KEYS[3], 'e', epoch, ARGV[2], ARGV[3])
local trim = tonumber(ARGV[5])
if trim >= tonumber(meta[3] or '1') and redis.call('HEXISTS', KEYS[3], ARGV[5]) == 1 then
  redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f', trim + 1) .. '-0')
  redis.call('HSET', KEYS[1], 'f', string.format('%.0f', trim + 1))
end
for i = 6, #ARGV do redis.call('HDEL', KEYS[3], ARGV[i]) end
return 'kept'
