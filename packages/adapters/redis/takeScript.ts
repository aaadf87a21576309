import { createHash } from 'node:crypto'
import type { RateBucket } from '@postrider/domain/rateLimit/gcra.ts'
import { emissionIntervalOf, maxDebtOf } from '@postrider/domain/rateLimit/gcra.ts'

/**
 * One request of GCRA, decided as `gcra` does. Returns the debts before it, in microseconds. KEYS: one per bucket.
 * ARGV: the cost; the time in microseconds, or empty for the server's; for each bucket the interval and the largest
 * debt with which one more request is admitted. Each key stores the theoretical arrival time and the time of the write,
 * and expires when its bucket is full. All numbers are whole and below 2^53, so a Lua number holds them exactly.
 */
const lua = `
local cost, callerTime = tonumber(ARGV[1]), tonumber(ARGV[2])
local now = callerTime
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local stored, debts = redis.call('MGET', unpack(KEYS)), {}
local admitted, setBack = true, false
for i = 1, #KEYS do
  debts[i] = 0
  if stored[i] then
    local arrival, written = string.match(stored[i], '(%d+) (%d+)')
    if written - now > 1000000 then
      -- The clock was set back, or another server is primary now: time continues from the last write.
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
    -- The server's clock, which expires keys, may be ahead of the caller's.
    local ttl = math.ceil(debt / 1000) + (callerTime and 60000 or 0)
    if debt > 0 then redis.call('SET', KEYS[i], string.format('%.0f %.0f', now + debt, now), 'PX', ttl) end
  end
end
return debts
`

const sha = createHash('sha1').update(lua).digest('hex')

type ScriptClient = {
  evalsha(sha: string, keyCount: number, ...scriptArguments: string[]): Promise<unknown>
  eval(script: string, keyCount: number, ...scriptArguments: string[]): Promise<unknown>
}

export type TakeDebtsOptions = {
  /** One per bucket. */
  keys: readonly string[]
  buckets: readonly RateBucket[]
  cost: number
  /** Microseconds; null: the server's clock. */
  time: number | null
}

/**
 * Runs the script by its hash; a server that was restarted or flushed gets the whole script.
 * @returns the debts of the buckets before the request, in microseconds
 */
export const takeDebts = async (
  redis: ScriptClient,
  { keys, buckets, cost, time }: TakeDebtsOptions,
): Promise<number[]> => {
  const scriptArguments = [...keys, String(cost), time === null ? '' : String(time)]
  for (const bucket of buckets) scriptArguments.push(String(emissionIntervalOf(bucket)), String(maxDebtOf(bucket)))
  try {
    return (await redis.evalsha(sha, keys.length, ...scriptArguments)) as number[]
  } catch (thrown) {
    if (!(thrown instanceof Error && thrown.message.startsWith('NOSCRIPT'))) throw thrown
    return (await redis.eval(lua, keys.length, ...scriptArguments)) as number[]
  }
}
