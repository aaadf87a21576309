import type { RecordOf } from '@postrider/contracts/http/schema.ts'
import { MoveTestClock, TestClockRecord } from '@postrider/contracts/http/testClock.ts'
import type { Intake } from '@postrider/contracts/services.ts'
import { actorIdOf } from '@postrider/domain/accounts/apiKey.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Identity } from '../deps.ts'
import { route } from '../route.ts'

const path = '/api/v1/test/clock'
const tag = 'Test mode'

/** @throws Fault `forbidden`: the key is a live key. A session reaches both modes. */
const requireTestMode = ({ caller, session }: Identity): void => {
  if (session || caller.mode === 'test') return
  throw new Fault('forbidden', 'The test clock belongs to the test mode; use a test key (pr_test_…).')
}

const clockRecord = (clock: Awaited<ReturnType<Intake['GetTestClock']>>) =>
  ({
    object: 'test_clock',
    now: isoTime(clock.now),
    ahead_ms: clock.ahead_ms,
    status: clock.complete ? 'ready' : 'advancing',
    due_emails: clock.due_emails,
    due_webhooks: clock.due_webhooks,
  }) satisfies RecordOf<typeof TestClockRecord>

export const getTestClock = route({
  name: 'getTestClock',
  method: 'GET',
  path,
  scope: 'emails:send',
  tag,
  summary: 'Read the test clock',
  description:
    'The time of the workspace’s test mode. Until it is moved it is the real time. A live key gets `forbidden`.',
  limit: 'read',
  reply: { status: 200, body: TestClockRecord, description: 'The clock.' },
  errors: ['forbidden'],
  handle: async (identity, { intake }) => {
    requireTestMode(identity)
    return { json: clockRecord(await intake.GetTestClock({ workspace: identity.caller.workspace })) }
  },
})

export const moveTestClock = route({
  name: 'moveTestClock',
  method: 'POST',
  path,
  scope: 'emails:send',
  tag,
  summary: 'Move the time of the test mode forward',
  description:
    'Scheduled mail, retries and expiries of test mail and retries of test webhooks happen as if the time had passed: each attempt has the time at which it was due. The clock then runs on from there. It goes forward only, at most 366 days ahead of the real time. Live mail, quotas, billing and retention keep the real time. The response comes when the work is done, or after about 2 seconds with `status` `advancing`. A repeated `advance` moves the clock again; a repeated `at` does not. A live key gets `forbidden`.',
  limit: 'write',
  body: MoveTestClock,
  reply: { status: 200, body: TestClockRecord, description: 'The clock after the move.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ body: { advance, at }, ...identity }, { intake }) => {
    requireTestMode(identity)
    const { caller, clientAddress: client_address } = identity
    const move = at === undefined ? { advance_ms: advance ?? 0 } : { at }
    const moved = await intake.MoveTestClock({ caller, actor: actorIdOf(caller), client_address, ...move })
    return { json: clockRecord(moved) }
  },
})
