-- Have a member looked at by this time at the latest; an earlier time stands.
-- KEYS    1 due index
-- ARGV    1 member   2 when to look (ms)   3 how long that may take to be written for which to look (ms; '' = it is written)
local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or math.huge)
-- Whoever took it may have looked before: a mark without its half is not theirs to put back.
local due = math.floor(math.min(score, tonumber(ARGV[2])))
local ahead = tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- Whoever takes it by then may look before what is about to be written: a quarter tells them so.
if ahead and due <= now + ahead then due = due + 0.25 end
redis.call('ZADD', KEYS[1], string.format('%.2f', due), ARGV[1])
