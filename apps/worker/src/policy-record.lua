-- Records which policy is in force for a tenant, once.
-- KEYS    1 the version recorded last   2 the tenant's stream of records
-- ARGV    1 the version the record was written upon ('' = none)   2 the version in force   3 the record
-- RETURNS 1 recorded · 0 somebody else was faster
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('XADD', KEYS[2], '*', 'record', ARGV[3])
redis.call('SET', KEYS[1], ARGV[2])
return 1
