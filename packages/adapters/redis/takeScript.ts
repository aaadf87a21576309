import { createHash } from 'node:crypto'
import type { Bucket } from '@postrider/domain/rateLimit/gcra.ts'
import { intervalOf, mostDebtOf } from '@postrider/domain/rateLimit/gcra.ts'

/**
 * One take of GCRA, as `judge` tells it: answers the debts before it, in microseconds.
 * KEYS: one a bucket. ARGV: the cost; the time in microseconds, empty for the server's; of each bucket the interval and
 * the most debt with which one more is admitted. Kept is the theoretical arrival time and when it was written, until the
 * bucket is full. Every number is whole and below 2^53, which is what a number in Lua holds exactly.
 */
const lua = `
local cost, given = tonumber(ARGV[1]), tonumber(ARGV[2])
local now = given
if not given then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local kept, debts = redis.call('MGET', unpack(KEYS)), {}
local admitted, setBack = true, false
for i = 1, #KEYS do
  debts[i] = 0
  if kept[i] then
    local arrival, written = string.match(kept[i], '(%d+) (%d+)')
    if written - now > 1000000 then
      -- The clock was set back, or another server took over: time goes on from where it was, so nobody waits for it.
      setBack = true
      debts[i] = arrival - written
    else
      debts[i] = math.max(arrival - now, 0)
    end
  end
  if debts[i] > tonumber(ARGV[2 * i + 2]) then admitted = false end
end
local taken = admitted and cost or 0
if taken > 0 or setBack then
  for i = 1, #KEYS do
    local debt = debts[i] + taken * ARGV[2 * i + 1]
    -- Where time is given, the server's may run ahead of it.
    local ttl = math.ceil(debt / 1000) + (given and 60000 or 0)
    if debt > 0 then redis.call('SET', KEYS[i], string.format('%.0f %.0f', now + debt, now), 'PX', ttl) end
  end
end
return debts
`

const sha = createHash('sha1').update(lua).digest('hex')

/** What the script is asked of the client. */
type Scripting = {
  evalsha(sha: string, keyCount: number, ...rest: string[]): Promise<unknown>
  eval(script: string, keyCount: number, ...rest: string[]): Promise<unknown>
}

const unknownScript = (thrown: unknown): boolean => thrown instanceof Error && thrown.message.startsWith('NOSCRIPT')

/**
 * Takes in one call, by the script's hash; a server that was restarted or flushed is told the script again.
 * @param keys one a bucket
 * @param time in microseconds; null: the server's
 * @returns the buckets' debts before, in microseconds
 */
export const takeOf = async (
  redis: Scripting,
  {
    keys,
    buckets,
    cost,
    time,
  }: { keys: readonly string[]; buckets: readonly Bucket[]; cost: number; time: number | null },
): Promise<number[]> => {
  const rest = [...keys, String(cost), time === null ? '' : String(time)]
  for (const bucket of buckets) rest.push(String(intervalOf(bucket)), String(mostDebtOf(bucket)))
  try {
    return (await redis.evalsha(sha, keys.length, ...rest)) as number[]
  } catch (thrown) {
    if (!unknownScript(thrown)) throw thrown
    return (await redis.eval(lua, keys.length, ...rest)) as number[]
  }
}
