import { mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { withEvents } from '@postrider/domain/email/changes.ts'
import { noFilter } from '@postrider/domain/email/filter.ts'
import { dayMs, minuteMs } from '@postrider/domain/time.ts'
import type { BatchEmail, BatchHead, StoredBatch } from '@postrider/ports/emailBatches.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { content, email, leaseMs, recipient } from '@postrider/ports/emailsFixtures.conformance.ts'
import fc from 'fast-check'
import { type Comparison, inAnyOrder, type Moment, operationsOn } from './compare.ts'

type Stores = {
  emails: EmailStore
  /** Batches as they were staged first, and how many emails each has. */
  heads: (BatchHead & { emails: BatchEmail[] })[]
}

const operation = operationsOn<Stores>()

const recent = fc.nat({ max: 2 })
const workspaces = ['ws_1', 'ws_2']
const workspace = fc.constantFrom(...workspaces)
const limit = fc.constantFrom(1, 100)
const none = 'bat_none'

/** Returns emails that no other operation has: a request generates the ids of its mail. */
const newEmails = (head: BatchHead, { count, from }: { count: number; from: number }, { step }: Moment): BatchEmail[] =>
  Array.from({ length: count }, (_, index) => {
    const number = from + index
    const id = `em_${String(step * 10 + index).padStart(26, '0')}`
    // Lists leave the order of emails of one millisecond to each store.
    const createdAt = head.at + number
    const people = [recipient({ nextAt: createdAt + (number % 2) * minuteMs })]
    const one = email({ id, workspace: head.workspace, createdAt, recipients: people, messageBytes: 100 })
    const cause = { kind: 'request', actor: 'key_1' } as const
    const accepted = withEvents(one, head.at, [{ type: 'email.accepted', recipient: null, cause }])
    const item = { number, id, sends: 1, kind: 'due' as const, bytes: 100 }
    return { email: accepted, content: { ...content, text: `${step}` }, item }
  })

const headAt = ({ heads }: Stores, index: number) => heads.at(-1 - index)
const idAt = (stores: Stores, index: number): string => headAt(stores, index)?.id ?? none

/** Returns a batch, a new one or a recent one, with more emails. */
const extended = (
  stores: Stores,
  given: { of: number; isNew: boolean; workspace: string; count: number },
  moment: Moment,
) => {
  const known = given.isNew ? undefined : headAt(stores, given.of)
  const at = moment.now + 100 * moment.step
  const id = `bat_${String(moment.step).padStart(26, '0')}`
  const head = known ?? { id, workspace: given.workspace, at, until: 0, emails: [] }
  head.until = moment.now + minuteMs
  if (!known) stores.heads.push(head)
  const added = newEmails(head, { count: given.count, from: head.emails.length }, moment)
  return { head, added }
}

/** Returns a batch as the port describes it: what a void one still has is each store's own. */
const shown = (found: StoredBatch | null) =>
  found?.state === 'void' ? { id: found.id, state: found.state, results: found.results } : found

const batch = { of: recent, isNew: fc.boolean(), workspace, count: fc.nat({ max: 3 }) }

const operations = {
  stage: operation(
    batch,
    async (stores, given, moment) => {
      const { head, added } = extended(stores, given, moment)
      const staged = await stores.emails.stageBatch(head, added)
      if (staged === 'staged') head.emails.push(...added)
      return staged
    },
    5,
  ),
  accept: operation(
    batch,
    async (stores, given, moment) => {
      const { head, added } = extended(stores, given, moment)
      const ended = { results: `${moment.step} `, now: moment.now }
      const accepted = await stores.emails.acceptBatch(head, added, ended)
      if (accepted === 'accepted') head.emails.push(...added)
      return accepted
    },
    5,
  ),
  batch: operation(
    { of: recent },
    async (stores, given) => {
      const found = await stores.emails.batch(idAt(stores, given.of))
      const head = headAt(stores, given.of)
      if (found?.state !== 'accepted' || !head) return shown(found)
      return [found, inAnyOrder(await stores.emails.batchEmails(head, found.items))]
    },
    2,
  ),
  makeVoid: operation({ of: recent }, (stores, given, { now }) => stores.emails.voidBatch(idAt(stores, given.of), now)),
  discard: operation({ of: recent }, (stores, given, { now }) =>
    stores.emails.discardBatch(idAt(stores, given.of), now),
  ),
  voidOpen: operation({}, ({ emails }) => emails.voidOpenBatches()),
  complete: operation({ of: recent }, (stores, given, { now }) =>
    stores.emails.completeBatch(idAt(stores, given.of), now),
  ),
  completeAll: operation({ workspace }, ({ emails }, given, { now }) => emails.completeBatches(given.workspace, now)),
  changeResults: operation({ workspace, of: recent, limit }, (stores, given, { step }) => {
    const page = { after: given.of === 0 ? '' : idAt(stores, given.of), limit: given.limit }
    return stores.emails.changeResults(given.workspace, page, function* (results) {
      yield
      return `${results}${step} `
    })
  }),
  sweep: operation({}, ({ emails }, _, { now }) => emails.sweepBatches(now, 100), 2),
  claim: operation({}, async ({ emails }, _, { now }) => {
    const claimed = await emails.claim({ lane: 'transactional', now, limit: 100, leaseMs })
    await emails.releaseLeases(claimed.map(({ email: { id }, fence }) => ({ id, fence })))
    return inAnyOrder(claimed)
  }),
}

const contents = async ({ emails, heads }: Stores, _: undefined, { now }: Moment): Promise<unknown> => {
  const ids = heads.flatMap((head) => head.emails.map(({ item }) => item.id))
  return {
    batches: await Promise.all(heads.map(async ({ id }) => shown(await emails.batch(id)))),
    records: await Promise.all(ids.map((id) => emails.get(id))),
    lists: await Promise.all(workspaces.map((of) => emails.list({ ...noFilter, workspace: of, limit: 100, now }))),
    queue: inAnyOrder(await emails.queueCounts()),
    nextDue: await emails.nextDue('transactional'),
  }
}

export const batchDifferences: Comparison<Stores> = {
  name: 'batches of emails',
  sqlite: (db) => ({ emails: sqliteEmails(db), heads: [] }),
  mongo: (db) => ({ emails: mongoEmails(db), heads: [] }),
  operations,
  // Longer than all steps of 100 ms, so that no two batches are of one time.
  waits: [10_000, 2 * minuteMs, 3 * dayMs, -10_000],
  contents,
  maxOperations: 30,
}
