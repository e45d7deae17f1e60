-- Appends records to a tenant's chain and marks what they were made of as sealed: both, or neither.
-- KEYS    1 chain (stream)   2 head (hash: seq, hash)   3 marks (hash: source → last sealed id)   4 writer   5 keys (hash)
-- ARGV    1 who writes   2 how long they may go on (ms)   3 4 seq ('' none) and hash ('' none) of the record this goes on from
--         then three lists, each after its length:
--         ids of keys that must still be there · source, id of each mark · seq, text, hash of each record
-- RETURNS 1 sealed · 0 the chain went on, or a key was dropped; nothing written · -1 another is the writer; nothing written
-- What was read before the head that is named here cannot be sealed twice: each step moves the head.
if redis.call('GET', KEYS[4]) ~= ARGV[1] then return -1 end
local head = redis.call('HMGET', KEYS[2], 'seq', 'hash')
if (head[1] or '') ~= ARGV[3] or (head[2] or '') ~= ARGV[4] then return 0 end

local at = 4
local function take()
  at = at + 1
  return ARGV[at]
end

for _ = 1, tonumber(take()) do
  if redis.call('HEXISTS', KEYS[5], 'k:' .. take()) == 0 then return 0 end
end
local marks = {}
for i = 1, tonumber(take()) do marks[i] = { take(), take() } end

local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local seq, hash
for _ = 1, tonumber(take()) do
  seq = take()
  local text = take()
  hash = take()
  redis.call('XADD', KEYS[1], seq .. '-0', 'r', text, 'h', hash, 't', now)
end
-- All that was looked at may be another tenant's.
if seq then redis.call('HSET', KEYS[2], 'seq', seq, 'hash', hash) end
for _, mark in ipairs(marks) do redis.call('HSET', KEYS[3], mark[1], mark[2]) end
redis.call('PEXPIRE', KEYS[4], ARGV[2])
return 1
