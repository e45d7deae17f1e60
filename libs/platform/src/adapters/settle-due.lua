-- Put back what was taken, unless it was watched anew meanwhile.
-- KEYS    1 due index
-- ARGV    1 member   2 the mark it bears while it is taken   3 when to look again (ms; '' = never)
-- RETURNS 1 put back or dropped · 0 watched anew: it is looked at once more in any case, sooner if its taker wants that
local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '')
if not score then return 0 end
local again = tonumber(ARGV[3])
if score ~= tonumber(ARGV[2]) then
  -- The quarter keeps it watched: a look that comes before what it was watched for is not the last.
  if again and again < score then
    redis.call('ZADD', KEYS[1], string.format('%.2f', math.floor(again) + 0.25), ARGV[1])
  end
  return 0
end
if again then redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
else redis.call('ZREM', KEYS[1], ARGV[1]) end
return 1
