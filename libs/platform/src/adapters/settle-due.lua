-- Put back what was taken, unless it was watched anew meanwhile.
-- KEYS    1 due index
-- ARGV    1 member   2 the mark it bears while it is taken   3 when to look again (ms; '' = never)
--         4 how long that may take to be written for which to look (ms; '' = it is written)
-- RETURNS 1 put back or dropped · 0 another's, or watched anew: then it is looked at once more, sooner if its taker wants that
local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '')
if not score then return 0 end
local again = tonumber(ARGV[3])
if score ~= tonumber(ARGV[2]) then
  if again and again < score and score % 1 ~= 0.5 then
    -- The quarter keeps it watched: a look that comes before what it was watched for is not the last.
    local quarter = ARGV[4] == '' and 0 or 0.25
    redis.call('ZADD', KEYS[1], string.format('%.2f', math.floor(again) + quarter), ARGV[1])
  end
  return 0
end
if again then redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
else redis.call('ZREM', KEYS[1], ARGV[1]) end
return 1
