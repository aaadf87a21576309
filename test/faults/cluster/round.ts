import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Db } from 'mongodb'
import type { Client, Tenant } from '../../support/client.ts'
import type { SmtpSink } from '../../support/smtpSink.ts'
import { until } from '../../support/until.ts'
import { type Evidence, sendsOwed } from '../check.ts'
import { type Journal, openJournal } from '../journal.ts'
import { numbers } from '../random.ts'
import { ask, askUntilKept, drained, evidence, keptBy, type MarkedMail, markedMail, sideBySide } from '../recorder.ts'
import { type Ledger, ledgerOf } from './ledger.ts'

/** What is done to the cluster under one tenant's mail, and what came of that mail. */
export type Round = {
  name: string
  tenant: Tenant
  journal: Journal
  /** A new one: every third has three recipients, every fifth is marketing mail. */
  mail(more?: Record<string, unknown>): MarkedMail
  /** Asks once. @returns the status; null: no answer */
  ask(mail: MarkedMail, key: string | null): Promise<number | null>
  /** Asks, and where it isn't taken goes on behind until it is. @returns the first status; null: no answer */
  sendWithKey(mail: MarkedMail): Promise<number | null>
  /**
   * Sends so many new mails, `clients` at a time and each asked for once; nearly all must be taken at once.
   * @returns how many were
   */
  sendAll(count: number): Promise<number>
  /** Asks with a key until it is answered 202. @returns the email's id */
  insist(mail: MarkedMail): Promise<string>
  /** Lets it go on while other things happen. */
  behind(work: Promise<unknown>): void
  /** What went wrong behind, and what `settled` waited for in vain. */
  wrong(): readonly string[]
  /** Waits until nothing is asked or on its way any more, and the ledger has caught up with what crashes left. */
  settled(): Promise<void>
  /** Once settled. */
  found(): Promise<Evidence>
}

/** Well above how long a dead process's lease keeps a key, an email or a reservation: 30 s, and a sweep. */
const settleMs = numbers(90_000, 600_000)
const insistEveryMs = 1_000
const clients = 4
/** What may be refused without a fault: the machine is busy with three back ends and a dozen processes. */
const mostRefused = 0.1

type Given = { name: string; client: Client; sink: SmtpSink; db: Db }

export const openRound = async ({ name, client, sink, db }: Given): Promise<Round> => {
  const tenant = await client.tenant()
  // Which marketing mail needs.
  await tenant.session.call({ method: 'PATCH', path: '/api/v1/workspace', json: { postal_address: '1 Road, Town' } })
  const journal = openJournal(join(tmpdir(), `postrider-faults-${name}-${randomUUID()}.jsonl`))
  const underWay: Promise<void>[] = []
  const wrong: string[] = []
  const askOnce = (mail: MarkedMail, key: string | null) => ask({ journal }, tenant, mail, key)
  const insist = (mail: MarkedMail) => askUntilKept({ journal }, tenant, mail, { everyMs: insistEveryMs })
  const behind = (work: Promise<unknown>): void => {
    const ended = work.then(
      () => undefined,
      (thrown: unknown) => void wrong.push(String(thrown)),
    )
    underWay.push(ended)
  }
  let sent = 0
  const mailOf = (number: number, more: Record<string, unknown> = {}): MarkedMail => {
    const count = number % 3 === 0 ? 3 : 1
    const to = Array.from({ length: count }, (_, n) => `to${n}.${name}${number}@receiver.example`)
    const lane = { category: number % 5 === 4 ? 'marketing' : 'transactional' }
    return markedMail(`${name}-${number}`, to, { ...lane, ...more })
  }
  return {
    name,
    tenant,
    journal,
    mail: (more) => mailOf(sent++, more),
    ask: askOnce,
    sendAll: async (count) => {
      let taken = 0
      await sideBySide(clients, { from: 0, to: count }, async () => {
        const status = await askOnce(mailOf(sent++), null)
        assert.ok(status === 202 || status === 503, `${name}: ${status}`)
        if (status === 202) taken++
      })
      assert.ok(taken >= count * (1 - mostRefused), `${name}: ${taken} of ${count} were taken`)
      return taken
    },
    sendWithKey: async (mail) => {
      const status = await askOnce(mail, mail.metadata.test_id)
      if (status !== 202) behind(pause(insistEveryMs).then(() => insist(mail)))
      return status
    },
    insist,
    behind,
    wrong: () => wrong,
    settled: async () => {
      await Promise.all(underWay)
      const note = (reason: unknown): void => void wrong.push(String(reason))
      await drained(tenant, settleMs).catch(note)
      await ledgerComesTo(db, tenant, sendsOwed(await keptBy(tenant))).catch(note)
    },
    found: async () => {
      const all = await evidence({ journal, sink }, tenant)
      return { ...all, taken: all.taken.filter(({ testId }) => testId.startsWith(`${name}-`)) }
    },
  }
}

const ledgerComesTo = async (db: Db, { workspace }: Tenant, sends: number): Promise<void> => {
  let last: Ledger | undefined
  const look = async () => {
    last = await ledgerOf(db, workspace.id)
    return isDeepStrictEqual(last, { numbers: sends, lines: sends, pending: 0 }) || undefined
  }
  await until(`the ledger comes to ${sends} sends`, look, settleMs).catch((reason: Error) => {
    throw new Error(`${reason.message}; it is ${JSON.stringify(last)}`)
  })
}
