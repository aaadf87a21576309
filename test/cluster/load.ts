import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { untilDrained, storedEmails, receivedCopies, usedSends } from '../faults/recorder.ts'
import { rawMail, type Tenant } from '../support/client.ts'
import type { SmtpSink } from '../support/smtpSink.ts'
import type { Cluster } from './cluster.ts'
import type { Member } from './member.ts'

export type LoadOptions = {
  clients?: number
  /** How long each rests between its mails: whoever wants to see what happens over minutes needs no full load. */
  restMs?: number
  /** Makes a mail that carries these fields. */
  mailOf?: typeof rawMail
}

export type Sent = {
  clients: number
  /** Test ids, which mails carry in X-Test-Id. */
  accepted: string[]
  /** Ids of requests. */
  refused: string[]
  /** Test ids of mails that nobody answered for, and that had no key or no time to be asked for again. */
  unanswered: string[]
  /** How often a request with a key was repeated. */
  repeated: number
}

/**
 * Sends one mail after the other until told to stop. A gateway may close a connection at the very moment a client uses it
 * again: then there is no answer, and whoever has a key repeats the request.
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
    for (;;) {
      const answer = await tenant.send(mail, headers).catch(() => null)
      if (answer?.status === 202) sent.accepted.push(testId)
      else if (answer) sent.refused.push(String(answer.headers['x-request-id']))
      if (answer) return
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

/** Kubernetes gives 30 s before it kills; a process must be gone 5 s earlier. */
const graceMs = 25_000

const restart = async (member: Member, tree?: string): Promise<void> => {
  const name = `${member.service} ${member.number}`
  const since = performance.now()
  assert.equal(await member.stop(), 0, `${name}: ${member.output().slice(-2_000)}`)
  const tookMs = performance.now() - since
  assert.ok(tookMs < graceMs, `${name} took ${tookMs} ms`)
  await member.start(tree)
}

/** Stops one process after the other and starts each again before the next. */
export const restartInTurn = async (
  members: readonly Member[],
  {
    tree,
    atOnce = 1,
  }: {
    /** Where they run from then on; otherwise where they ran from before. */
    tree?: string
    /** How many are restarted side by side, all of different services. */
    atOnce?: number
  } = {},
): Promise<void> => {
  const queue = [...members]
  while (queue.length > 0) await Promise.all(queue.splice(0, atOnce).map((member) => restart(member, tree)))
}

/** What the gateways logged of a request that failed. */
const logged = (cluster: Cluster) => (requestId: string) => {
  const lines = cluster.of('gateway').flatMap(({ output }) => output().split('\n'))
  return lines.filter((line) => line.includes(requestId)).join('\n')
}

type System = { cluster: Cluster; tenant: Tenant; sink: SmtpSink }

/**
 * No request was refused, hardly one found no answer, each mail arrived once, without a doubt, and is counted.
 * @param gatewayRestarts each may cost every client the answer to one request
 */
export const assertAllArrivedOnce = async (
  sent: Sent,
  { cluster, tenant, sink }: System,
  gatewayRestarts: number,
): Promise<void> => {
  assert.deepEqual(sent.refused.map(logged(cluster)), [])
  const lost = sent.unanswered.length + sent.repeated
  assert.ok(lost <= sent.clients * gatewayRestarts, `${lost} requests found no answer`)
  assert.ok(sent.accepted.length > 100, `only ${sent.accepted.length} were sent`)

  await untilDrained(tenant, 30_000)
  const kept = await storedEmails(tenant)
  assert.deepEqual(
    kept.filter(({ attempts }) => attempts.some((one) => one.possibleDuplicate)),
    [],
  )
  const asked = new Set([...sent.accepted, ...sent.unanswered])
  const arrived = receivedCopies(sink).flatMap(({ testId }) => (asked.has(testId) ? [testId] : []))
  assert.equal(new Set(arrived).size, arrived.length)
  const answered = arrived.filter((testId) => !sent.unanswered.includes(testId))
  assert.deepEqual(answered.toSorted(), sent.accepted.toSorted())
  assert.deepEqual([kept.length, await usedSends(tenant)], [arrived.length, arrived.length])
}
