import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { LineDoc, MonthDoc } from '@postrider/adapters/mongo/ledger/docs.ts'
import type { Db } from 'mongodb'
import type { Client, Tenant } from '../../support/client.ts'
import { inParallel } from '../../support/inParallel.ts'
import type { SmtpSink } from '../../support/smtpSink.ts'
import { until } from '../../support/until.ts'
import { type Evidence, expectedSends } from '../check.ts'
import { type Journal, openJournal } from '../journal.ts'
import { shortOrLong } from '../random.ts'
import {
  allEmails,
  evidence,
  type MarkedMail,
  markedMail,
  sendOnce,
  sendUntilAccepted,
  untilDrained,
} from '../recorder.ts'
import { followRound } from './roundEvents.ts'

/** The mail of one tenant, sent while a test causes one kind of fault. */
export type Round = AsyncDisposable & {
  name: string
  tenant: Tenant
  journal: Journal
  /** Returns a new mail. Every third has three recipients, every fifth is marketing mail. */
  mail(more?: Record<string, unknown>): MarkedMail
  /** Sends a request once. @returns the status, or null without a response */
  sendOnce(mail: MarkedMail, key: string | null): Promise<number | null>
  /**
   * Sends a request with a key, and repeats it in the background until it is accepted.
   * @returns the first status, or null without a response
   */
  sendWithKey(mail: MarkedMail): Promise<number | null>
  /**
   * Sends `count` new emails, each once, until nearly all of one try are accepted.
   * @returns the number of accepted emails
   */
  sendAll(count: number): Promise<number>
  /** Repeats a request with a key until the response is 202. @returns the email's id */
  sendUntilAccepted(mail: MarkedMail): Promise<string>
  /** Collects the errors of work that continues during the next steps. */
  inBackground(work: Promise<unknown>): void
  /** Returns the errors of background work and of `ended`. */
  problems(): readonly string[]
  /** Waits until all requests have responses, all mail is final, and the ledger is settled after crashes. */
  ended(): Promise<void>
  /** Collects the evidence after `ended`. */
  found(): Promise<Evidence>
  /**
   * Asserts after `ended` that a reader which followed the events saw each once and in order. It sends one more mail.
   * @returns the number of events
   */
  assertEvents(): Promise<number>
}

/** Much longer than the lease of a killed process on a key, an email or a reservation, which is 30 s plus a sweep. */
const settleMs = shortOrLong(90_000, 600_000)
const repeatEveryMs = 1_000
const clients = 4
/**
 * The share of sends that may be refused without a fault, because the machine runs a dozen processes, and the number of
 * tries: other programs can use the machine during one of them, but a fault that refuses sends does so in each.
 */
const [maxRefused, maxTries] = [0.1, 3]

type OpenRoundOptions = { name: string; client: Client; sink: SmtpSink; db: Db }

export const openRound = async ({ name, client, sink, db }: OpenRoundOptions): Promise<Round> => {
  const tenant = await until('a tenant is created', () => client.tenant().catch(unlessUnavailable))
  // Marketing mail needs a postal address.
  await tenant.session.call({ method: 'PATCH', path: '/api/v1/workspace', json: { postal_address: '1 Road, Town' } })
  const journal = openJournal(join(tmpdir(), `postrider-faults-${name}-${randomUUID()}.jsonl`))
  const running: Promise<void>[] = []
  const problems: string[] = []
  const note = (reason: unknown): void => void problems.push(String(reason))
  const send = (mail: MarkedMail, key: string | null) => sendOnce({ journal }, tenant, mail, key)
  const repeat = (mail: MarkedMail) =>
    sendUntilAccepted({ journal }, tenant, mail, { everyMs: repeatEveryMs, mayStillRun: true })
  const inBackground = (work: Promise<unknown>): void => void running.push(work.then(() => undefined, note))
  const events = await followRound(tenant, db)
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
    sendOnce: send,
    sendAll: async (count) => {
      let total = 0
      for (let left = maxTries; ; left--) {
        let accepted = 0
        await inParallel(clients, { from: 0, to: count }, async () => {
          const status = await send(mailOf(sent++), null)
          assert.ok(status === 202 || status === 503, `${name}: ${status}`)
          if (status === 202) accepted++
        })
        total += accepted
        if (accepted >= count * (1 - maxRefused)) return total
        assert.ok(left > 1, `${name}: ${accepted} of ${count} were accepted, in ${maxTries} tries`)
      }
    },
    sendWithKey: async (mail) => {
      const status = await send(mail, mail.metadata.test_id)
      if (status !== 202) inBackground(pause(repeatEveryMs).then(() => repeat(mail)))
      return status
    },
    sendUntilAccepted: repeat,
    inBackground,
    problems: () => problems,
    ended: async () => {
      await Promise.all(running)
      await untilDrained(tenant, settleMs).catch(note)
      await untilLedgerHas(db, tenant, expectedSends(await allEmails(tenant))).catch(note)
    },
    found: async () => {
      const all = await evidence({ journal, sink }, tenant)
      return { ...all, copies: all.copies.filter(({ testId }) => testId.startsWith(`${name}-`)) }
    },
    assertEvents: async () => {
      // Its events are later than all others.
      const last = await repeat(mailOf(sent++))
      await untilDrained(tenant, settleMs)
      await events.stopAfter(last)
      return events.assertAll()
    },
    [Symbol.asyncDispose]: async () => {
      await events[Symbol.asyncDispose]()
      journal.remove()
    },
  }
}

/** The sends of a workspace by the month documents and by the ledger lines, and its pending reservations. */
type Ledger = { counted: number; lines: number; pending: number }

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

const ledgerOf = async (db: Db, workspace: string): Promise<Ledger> => {
  const months = await db.collection<MonthDoc>('ledger_months').find({ workspace }).toArray()
  const lines = await db.collection<LineDoc>('ledger_lines').find({ workspace }).toArray()
  return {
    counted: sumOf(months.map(({ used }) => used)),
    lines: sumOf(lines.map(({ sends }) => sends)),
    pending: sumOf(months.map(({ pending }) => pending.length)),
  }
}

const untilLedgerHas = async (db: Db, { workspace }: Tenant, sends: number): Promise<void> => {
  let last: Ledger | undefined
  const check = async () => {
    last = await ledgerOf(db, workspace.id)
    return isDeepStrictEqual(last, { counted: sends, lines: sends, pending: 0 }) || undefined
  }
  await until(`the ledger has ${sends} sends`, check, settleMs).catch((reason: Error) => {
    throw new Error(`${reason.message}; it is ${JSON.stringify(last)}`)
  })
}

/** The service may still recover from the former fault. */
const unlessUnavailable = (thrown: unknown): undefined => {
  if (!(thrown instanceof assert.AssertionError && thrown.actual === 503)) throw thrown
}
