-- Finds the snapshot of a thread to begin at, all at one moment.
-- KEYS    1 meta  2 snapshots (hash: e epoch, <seq> text of each)
-- ARGV    1 not beyond this seq  2 leave at least so many events up to the head to be read, where the log has them
-- RETURNS {epoch, last seq, first seq kept, seq of the snapshot, its text, seqs of all}; seq 0 and no text for none

local function text(number)
  return string.format('%.0f', number)
end

local meta = redis.call('HMGET', KEYS[1], 'e', 's', 'f')
if not meta[1] then return { '', '0', '1', '0', '', {} } end

local head, first = meta[2], meta[3] or '1'
local up_to = tonumber(ARGV[1])
local wanted = math.min(up_to, tonumber(head) - tonumber(ARGV[2]))

local seqs, best, oldest = {}, nil, nil
if redis.call('HGET', KEYS[2], 'e') == meta[1] then
  for _, field in ipairs(redis.call('HKEYS', KEYS[2])) do
    local seq = tonumber(field)
    if seq then
      seqs[#seqs + 1] = field
      if seq <= wanted and (not best or seq > best) then best = seq end
      if seq <= up_to and (not oldest or seq < oldest) then oldest = seq end
    end
  end
end

-- Where the log does not reach back so far, the oldest snapshot is its beginning.
if not best and tonumber(first) > 1 then best = oldest end
if not best then return { meta[1], head, first, '0', '', seqs } end
return { meta[1], head, first, text(best), redis.call('HGET', KEYS[2], text(best)), seqs }
