-- Stores a batch of events at its place in a thread's log, with all that must become true at the same moment.
-- KEYS    1 meta (hash: e epoch, s last seq, f first seq kept, l life of the store it was last written in,
--           pe:<id> ps:<id> pr:<id> of each producer)
--         2 log (stream: one entry a batch, id <last seq>-0)  3 channel
--         4 snapshots (hash: e epoch, <seq> text of each)
-- ARGV    1 epoch for a log that has none  2 3 epoch and seq the caller has seen ('' 0 for none)
--         4 5 6 producer id, epoch, seq of the first event ('' 0 0 for none)  7 largest batch announced inline
--         8 life of the store ('' not known)  9 seq the caller has seen of that epoch before this life (0 for none)
--         then three lists, each after its length:
--         guards: key field value · events: source json raw ('' for none) · riders: number of words, words
-- RETURNS {stored, epoch, first, last, at} | {repeated, epoch, last} | {fenced, producer epoch} | {gap, expected seq}
--         | {guarded, index of the guard from 0}
-- The keys of guards and riders are not in KEYS: the thread's hash tag, which they must carry, keeps them in its slot.
-- A script that fails half way is not undone, so all that can be wrong with it is found before the first write.

local WRITES = { HSET = 'hash', HDEL = 'hash', ZADD = 'zset', ZREM = 'zset', XADD = 'stream', DEL = 'none' }

local tag = string.match(KEYS[1], '{(.-)}')
local clock = redis.call('TIME')
local at = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
local cursor = 9

local function take()
  cursor = cursor + 1
  return ARGV[cursor]
end

local function text(number)
  return string.format('%.0f', number)
end

local function demand(holds, what)
  if not holds then error('append refused: ' .. what) end
end

local function demand_own(key)
  demand(key and string.match(key, '{(.-)}') == tag, 'key ' .. tostring(key) .. ' is not of this thread')
  demand(key ~= KEYS[1] and key ~= KEYS[2] and key ~= KEYS[4], 'key ' .. key .. ' is the log itself')
end

-- The position of '*' in XADD key [MAXLEN ~|= n] * field value ...
local function star_of(words)
  local trims = words[3] == 'MAXLEN' and (words[4] == '~' or words[4] == '=')
  if trims and string.match(words[5] or '', '^%d+$') then return 6 end
  return 3
end

local function is_whole(words)
  local command = words[1]
  local pairs_from = 3
  if command == 'HDEL' or command == 'ZREM' then return #words >= 3 end
  if command == 'XADD' then
    local star = star_of(words)
    if words[star] ~= '*' then return false end
    pairs_from = star + 1
  end
  if command == 'ZADD' then
    for i = 3, #words, 2 do
      if not string.match(words[i], '^-?%d+%.?%d*$') then return false end
    end
  end
  return #words > pairs_from and (#words - pairs_from) % 2 == 1
end

local kinds = {}
local function kind_of(key)
  kinds[key] = kinds[key] or redis.call('TYPE', key).ok
  return kinds[key]
end

local function check_rider(words)
  local command = words[1]
  if command == 'PUBLISH' then return demand(#words == 3, 'PUBLISH takes a channel and a message') end
  local writes = WRITES[command]
  demand(writes, 'a rider may not ' .. tostring(command))
  demand(#words >= 2, command .. ' without a key')
  for i = 2, command == 'DEL' and #words or 2 do
    local key = words[i]
    demand_own(key)
    demand(command == 'DEL' or is_whole(words), command .. ' ' .. key .. ' is malformed')
    local kind = kind_of(key)
    demand(command == 'DEL' or kind == 'none' or kind == writes, key .. ' holds a ' .. kind)
    kinds[key] = writes
  end
end

local guarded
for i = 0, tonumber(take()) - 1 do
  local key, field, equals = take(), take(), take()
  demand_own(key)
  if not guarded and (redis.call('HGET', key, field) or '') ~= equals then guarded = i end
end
if guarded then return { 'guarded', text(guarded) } end

local count = tonumber(take())
local events = cursor
cursor = cursor + 3 * count

local riders = {}
for i = 1, tonumber(take()) do
  local words = {}
  for j = 1, tonumber(take()) do words[j] = take() end
  check_rider(words)
  riders[i] = words
end

local function ride()
  for _, words in ipairs(riders) do redis.call(unpack(words)) end
end

local producer, producer_epoch, producer_seq = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local meta = redis.call('HMGET', KEYS[1], 'e', 's', 'pe:' .. producer, 'ps:' .. producer, 'pr:' .. producer, 'l')
local epoch, seq = meta[1], tonumber(meta[2] or '0')
local known_epoch, known_seq = tonumber(meta[3] or '-1'), tonumber(meta[4] or '-1')

-- An outdated producer must not even cause a change of epoch.
if count > 0 and producer ~= '' and producer_epoch < known_epoch then return { 'fenced', text(known_epoch) } end

local seen_epoch, seen_seq = ARGV[2], tonumber(ARGV[3])
local life, seen_before = ARGV[8], tonumber(ARGV[9])
local last_life = meta[6] or ''
local reborn = life ~= '' and last_life ~= '' and life ~= last_life
if life == '' then life = last_life end
local fresh = not epoch

-- What is left of a log is what it was, and so are the snapshots of it.
local function change_epoch()
  epoch = ARGV[1]
  reborn = false
  if redis.call('HGET', KEYS[4], 'e') == meta[1] then redis.call('HSET', KEYS[4], 'e', epoch) end
end

if fresh then
  if count > 0 then epoch = ARGV[1] end
elseif seen_epoch == epoch and seen_seq > seq then
  -- The store lost what it had acknowledged. A seq must never name two events of one epoch: the lost ones become a
  -- void, under a new epoch; the producer sees a gap and sends again what it still has.
  change_epoch()
  redis.call('HSET', KEYS[1], 'e', epoch, 's', text(seen_seq), 'l', life)
  redis.call('XADD', KEYS[2], text(seen_seq) .. '-0', 'n', text(seen_seq - seq), 't', at, 'v', '1')
  redis.call('SPUBLISH', KEYS[3], 'r ' .. epoch)
  seq = seen_seq
end

if count == 0 then
  ride()
  return { 'stored', epoch or '', text(seq + 1), text(seq), at }
end

local skip = 0
if producer ~= '' then
  local expected = 0
  if producer_epoch == known_epoch then
    if producer_seq + count - 1 <= known_seq then return { 'repeated', epoch, meta[5] } end
    expected = known_seq + 1
    skip = math.max(0, expected - producer_seq)
  end
  if producer_seq > expected then return { 'gap', text(expected) } end
end

-- The store died and came back, perhaps without its last writes. Only who saw the head, or stored it, before that can
-- know that none are missing; what anybody else stores must not bear the name of an event that was lost.
if reborn then
  local saw_head = seen_epoch == epoch and seen_before == seq
  local stored_head = producer ~= '' and producer_epoch == known_epoch and tonumber(meta[5]) == seq
  if not (saw_head or stored_head) then change_epoch() end
end

local first, last = seq + 1, seq + count - skip
local entry, shapes, bodies, bytes = { 'n', text(count - skip), 't', at }, {}, {}, 0
for i = skip, count - 1 do
  local source, json, raw = ARGV[events + 3 * i + 1], ARGV[events + 3 * i + 2], ARGV[events + 3 * i + 3]
  local shape = source .. #json
  entry[#entry + 1], entry[#entry + 2] = source, json
  bodies[#bodies + 1] = json
  if raw ~= '' then
    shape = shape .. 'r' .. #raw
    entry[#entry + 1], entry[#entry + 2] = 'r', raw
    bodies[#bodies + 1] = raw
  end
  shapes[#shapes + 1] = shape
  bytes = bytes + #json + #raw
end

-- Without its meta a stream is a remainder that nobody may read any more.
if fresh then redis.call('DEL', KEYS[2], KEYS[4]) end
redis.call('XADD', KEYS[2], text(last) .. '-0', unpack(entry))
redis.call('HSET', KEYS[1], 'e', epoch, 's', text(last), 'l', life)
if producer ~= '' then
  redis.call('HSET', KEYS[1], 'pe:' .. producer, text(producer_epoch),
    'ps:' .. producer, text(producer_seq + count - 1), 'pr:' .. producer, text(last))
end
ride()

local place = epoch .. ' ' .. text(first) .. ' ' .. text(last)
if bytes <= tonumber(ARGV[7]) then
  local header = 'b ' .. place .. ' ' .. at .. ' ' .. table.concat(shapes, ',')
  redis.call('SPUBLISH', KEYS[3], header .. '\n' .. table.concat(bodies))
else
  redis.call('SPUBLISH', KEYS[3], 'p ' .. place)
end
return { 'stored', epoch, text(first), text(last), at }
