-- Have a member looked at by this time at the latest; an earlier time stands.
-- KEYS    1 due index
-- ARGV    1 member   2 when to look (ms, whole)   3 1 it is named before that is written for which to look
-- RETURNS 1 looked at then · 0 looked at sooner anyway
local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or math.huge)
if tonumber(ARGV[2]) < score then
  redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
  return 1
end
if ARGV[3] ~= '1' then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if score <= now then
  -- Whoever takes it from here may look before what is about to be written: a quarter tells them so.
  redis.call('ZADD', KEYS[1], string.format('%.2f', math.floor(score) + 0.25), ARGV[1])
elseif score % 1 ~= 0 then
  -- Whoever took it may have looked before: a mark without its half is not theirs to put back.
  redis.call('ZADD', KEYS[1], string.format('%.0f', math.floor(score)), ARGV[1])
end
return 0
