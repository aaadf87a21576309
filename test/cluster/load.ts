import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { receivedCopies, storedEmails, untilDrained, usedSends } from '../faults/recorder.ts'
import { rawMail, type Tenant } from '../support/client.ts'
import { assertStoppedInTime, elapsedMs } from '../support/grace.ts'
import type { SmtpSink } from '../support/smtpSink.ts'
import type { Cluster } from './cluster.ts'
import type { Member } from './member.ts'

export type LoadOptions = {
  clients?: number
  /** Pause of each client between its emails. Tests that observe minutes do not need full load. */
  restMs?: number
  /** Returns an email with these fields. */
  mailOf?: typeof rawMail
}

export type Sent = {
  clients: number
  /** Test ids, which emails contain in X-Test-Id. */
  accepted: string[]
  /** Ids of requests. */
  refused: string[]
  /** Test ids of emails whose request had no response and was not repeated, without a key or at the end of the load. */
  unanswered: string[]
  /** Number of repeated requests. Only requests with a key are repeated. */
  repeated: number
}

const repeatEveryMs = 100

/**
 * Sends mail by several clients until `stop` is called. A gateway may close a connection at the moment when a client
 * reuses it. Then there is no response, and the client repeats the request if it has a key.
 */
export const load = (
  tenant: Tenant,
  { clients = 4, restMs = 0, mailOf = rawMail }: LoadOptions = {},
): AsyncDisposable & { stop(): Promise<Sent> } => {
  const sent: Sent = { clients, accepted: [], refused: [], unanswered: [], repeated: 0 }
  let stopped = false
  const sendOne = async (headers: Record<string, string>): Promise<void> => {
    const testId = randomUUID()
    const mail = mailOf({ headers: { 'X-Test-Id': testId } })
    for (let isRepeated = false; ; isRepeated = true) {
      const response = await tenant.send(mail, headers).catch(() => null)
      if (isRepeated && response?.status === 409) {
        // The request without a response still runs.
        await pause(repeatEveryMs)
        continue
      }
      if (response?.status === 202) sent.accepted.push(testId)
      else if (response) sent.refused.push(String(response.headers['x-request-id']))
      if (response) return
      if (stopped || !headers['idempotency-key']) return void sent.unanswered.push(testId)
      sent.repeated++
    }
  }
  const client = async (withKeys: boolean) => {
    while (!stopped) {
      await sendOne(withKeys ? { 'idempotency-key': randomUUID() } : {})
      if (restMs > 0) await pause(restMs)
    }
  }
  const running = Array.from({ length: clients }, (_, number) => client(number % 2 === 0))
  const stop = async () => {
    stopped = true
    await Promise.all(running)
    return sent
  }
  return { stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}

/** @param previousMs the start of the member that was restarted before @returns the time of the start */
const restart = async (member: Member, previousMs: number, tree?: string): Promise<number> => {
  const name = `${member.service} ${member.number}`
  const stopMs = await elapsedMs(async () =>
    assert.equal(await member.stop(), 0, `${name}: ${member.output().slice(-2_000)}`),
  )
  const startMs = await elapsedMs(() => member.start(tree))
  assertStoppedInTime({ stopMs, startsMs: [previousMs, startMs] }, name)
  return startMs
}

/** Restarts one process after the other. */
export const restartInTurn = async (
  members: readonly Member[],
  {
    tree,
    atOnce = 1,
  }: {
    /** The tree from which they run afterwards. Default: the previous one. */
    tree?: string
    /** The number of processes that restart in parallel. */
    atOnce?: number
  } = {},
): Promise<void> => {
  const queue = [...members]
  let startMs = 0
  while (queue.length > 0) {
    const restarts = queue.splice(0, atOnce).map((member) => restart(member, startMs, tree))
    startMs = Math.max(...(await Promise.all(restarts)))
  }
}

/** Returns a function that returns the log lines of a request. */
const logged = (cluster: Cluster) => (requestId: string) => {
  const lines = cluster.of('gateway').flatMap(({ output }) => output().split('\n'))
  return lines.filter((line) => line.includes(requestId)).join('\n')
}

type System = { cluster: Cluster; tenant: Tenant; sink: SmtpSink }

/**
 * Asserts that no request was refused, that few had no response, and that each email arrived once, is counted, and was
 * never in doubt.
 * @param gatewayRestarts each restart may cost every client one response
 */
export const assertAllArrivedOnce = async (
  sent: Sent,
  { cluster, tenant, sink }: System,
  gatewayRestarts: number,
): Promise<void> => {
  assert.deepEqual(sent.refused.map(logged(cluster)), [])
  const lost = sent.unanswered.length + sent.repeated
  assert.ok(lost <= sent.clients * gatewayRestarts, `${lost} requests had no response`)
  assert.ok(sent.accepted.length > 100, `only ${sent.accepted.length} were sent`)

  await untilDrained(tenant)
  const emails = await storedEmails(tenant)
  assert.deepEqual(
    emails.filter(({ attempts }) => attempts.some((one) => one.possibleDuplicate)),
    [],
  )
  const expected = new Set([...sent.accepted, ...sent.unanswered])
  const arrived = receivedCopies(sink).flatMap(({ testId }) => (expected.has(testId) ? [testId] : []))
  assert.equal(new Set(arrived).size, arrived.length)
  const answered = arrived.filter((testId) => !sent.unanswered.includes(testId))
  assert.deepEqual(answered.toSorted(), sent.accepted.toSorted())
  assert.deepEqual([emails.length, await usedSends(tenant)], [arrived.length, arrived.length])
}
