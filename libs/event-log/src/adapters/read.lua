-- Reads a part of a thread's log, all at one moment.
-- KEYS    1 meta  2 log
-- ARGV    1 read what comes after this seq  2 enough events  3 enough bytes
-- RETURNS {epoch, last seq, first seq kept, entries of the stream}; epoch '' and seq 0 when there is no log

local AT_ONCE = 16

local function text(number)
  return string.format('%.0f', number)
end

local meta = redis.call('HMGET', KEYS[1], 'e', 's', 'f')
if not meta[1] then return { '', '0', '1', {} } end

local after, enough_events, enough_bytes = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local entries, bytes, last = {}, 0, after
local done = false
while not done do
  local some = redis.call('XRANGE', KEYS[2], text(last + 1) .. '-0', '+', 'COUNT', AT_ONCE)
  done = #some < AT_ONCE
  for _, entry in ipairs(some) do
    entries[#entries + 1] = entry
    for _, value in ipairs(entry[2]) do bytes = bytes + #value end
    last = tonumber(string.match(entry[1], '^%d+'))
    if last - after >= enough_events or bytes >= enough_bytes then
      done = true
      break
    end
  end
end
return { meta[1], meta[2], meta[3] or '1', entries }
