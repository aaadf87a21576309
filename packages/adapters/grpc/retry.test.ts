import assert from 'node:assert/strict'
import { status } from '@grpc/grpc-js'
import type { CallResponse } from './call.ts'
import { withRetries } from './methods.ts'

const bytes = Buffer.from('x')
const ok: CallResponse = { code: status.OK, body: bytes, statusDetails: '' }
const lost: CallResponse = { code: status.UNAVAILABLE, body: Buffer.alloc(0), statusDetails: 'gone' }

/** Makes a call that gets these responses, the last one repeatedly. Time passes only in pauses. */
const calling = async (responses: CallResponse[], { deadlineAt = 4_000, random = 0, repeatable = true } = {}) => {
  const state = { now: 0, sent: 0 }
  const pauses: number[] = []
  const { sendRepeatable, sendOnce } = withRetries({
    send: async () => responses[Math.min(state.sent++, responses.length - 1)] as CallResponse,
    now: () => state.now,
    random: () => random,
    pause: async (ms) => {
      pauses.push(ms)
      state.now += ms
    },
  })
  const send = repeatable ? sendRepeatable : sendOnce
  const response = await send({ path: '/a.B/C', message: bytes, deadlineAt, headers: {} })
  return { response, sent: state.sent, pauses }
}

describe('gRPC retries', () => {
  it('retries until a server responds', async () => {
    const { response, sent } = await calling([lost, { ...lost, code: status.CANCELLED }, ok])
    assert.deepEqual([response, sent], [{ ...ok, isRepeat: true }, 3])
  })

  /** Returns the messages that are sent until a call succeeds, after these responses. */
  const messages = async (responses: CallResponse[]): Promise<string[]> => {
    const sent: string[] = []
    const { sendRepeatable } = withRetries({
      send: async ({ message }) => {
        sent.push(String(message))
        return responses[sent.length - 1] ?? ok
      },
      now: () => 0,
      random: () => 0,
      pause: async () => {},
    })
    const repeatMessage = () => Buffer.from('again')
    const message = Buffer.from('first')
    await sendRepeatable({ path: '/a.B/C', message, repeatMessage, deadlineAt: 4_000, headers: {} })
    return sent
  }

  // The repeated request failed with “the first request is still running”: it meant the request whose response was
  // lost.
  it('sends the message of a repeated call from the second call on', async () => {
    assert.deepEqual(await messages([lost, lost]), ['first', 'again', 'again'])
  })

  it('sends the first message again while no service has received it', async () => {
    const unsent = { ...lost, statusDetails: 'No connection established' }
    assert.deepEqual(await messages([unsent, unsent, lost, unsent]), ['first', 'first', 'first', 'again', 'again'])
  })

  it('gives up after five calls with growing pauses', async () => {
    const { response, sent, pauses } = await calling([lost])
    assert.deepEqual([response, sent, pauses], [{ ...lost, isRepeat: true }, 5, [20, 100, 300, 800]])
  })

  it('shortens the pauses by up to half at random', async () => {
    const { pauses } = await calling([lost], { random: 1 })
    assert.deepEqual(pauses, [10, 50, 150, 400])
  })

  it('stops before the deadline', async () => {
    const { response, pauses } = await calling([lost], { deadlineAt: 400 })
    assert.deepEqual([response, pauses], [{ ...lost, isRepeat: true }, [20, 100]])
  })

  it('retries a call that must not run twice only when no service received it', async () => {
    // Regression: logins and other changes that were sent while a connection ended by age failed with 503.
    const unsent = [
      'Stream refused by server',
      'round_robin: No connection established. Last error: null',
      'Name resolution failed for target dns:a:1',
    ]
    for (const statusDetails of unsent) {
      assert.deepEqual((await calling([{ ...lost, statusDetails }, ok], { repeatable: false })).sent, 2)
    }
    for (const statusDetails of ['gone', 'Connection dropped']) {
      assert.deepEqual((await calling([{ ...lost, statusDetails }, ok], { repeatable: false })).sent, 1)
    }
  })

  it('does not retry an error of the service, a timeout or another status', async () => {
    const refused = [
      { ...lost, body: bytes },
      ...[status.DEADLINE_EXCEEDED, status.INTERNAL, status.RESOURCE_EXHAUSTED].map((code) => ({ ...lost, code })),
    ]
    for (const response of refused) assert.deepEqual((await calling([response])).sent, 1)
  })
})
