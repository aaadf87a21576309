import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type LinkPurpose, linkSubject } from '@postrider/domain/accounts/links.ts'
import { newUser } from '@postrider/domain/accounts/users.ts'
import { newWorkspace } from '@postrider/domain/accounts/workspaceRules.ts'
import { emptyAccount } from '@postrider/domain/billing/account.ts'
import { internalMode } from '@postrider/domain/events/event.ts'
import { newGroup, withNewEvents } from '@postrider/domain/notifications/group.ts'
import { addOutcomesSteps, emptyBucket } from '@postrider/domain/stats/bucket.ts'
import { neverMs } from '@postrider/domain/time.ts'
import { newId } from '@postrider/kit/ids.ts'
import { inOneStep } from '../../test/support/inOneStep.ts'
import { aKey } from './accounts.conformance.ts'
import type { AccountStore } from './accounts.ts'
import type { Audit } from './audit.ts'
import { anEntry } from './auditFixtures.conformance.ts'
import type { BillingStore } from './billing.ts'
import type { DomainStore } from './domains.ts'
import { domain, max } from './domainsFixtures.conformance.ts'
import type { EmailStore } from './emails.ts'
import { content, email } from './emailsFixtures.conformance.ts'
import type { ErasureStore } from './erasures.ts'
import type { IdempotencyStore } from './idempotency.ts'
import type { Ledger } from './ledger.ts'
import type { LinkStore } from './links.ts'
import type { MailboxStore } from './mailbox.ts'
import type { NotificationStore } from './notifications.ts'
import type { ReputationStore } from './reputation.ts'
import type { StatsStore } from './stats.ts'
import { acceptedMail } from './statsFixtures.conformance.ts'
import type { TemplateStore } from './templates.ts'
import type { WorkspaceErasure } from './workspaceErasure.ts'
import type { NewWorkspaceEvent, WorkspaceEventStore } from './workspaceEvents.ts'

const addOutcomes = inOneStep(addOutcomesSteps)

/** All stores of one installation. */
export type AllStores = {
  accounts: AccountStore
  audit: Audit
  billing: BillingStore
  domains: DomainStore
  emails: EmailStore
  erasures: ErasureStore
  idempotency: IdempotencyStore
  ledger: Ledger
  links: LinkStore
  mailbox: MailboxStore
  notifications: NotificationStore
  reputation: ReputationStore
  stats: StatsStore
  workspaceEvents: WorkspaceEventStore
  templates: TemplateStore
  erasure: WorkspaceErasure
  /** Returns every stored document or row as text, by collection or table. */
  dump(): Promise<Map<string, string[]>>
}

const at = Date.UTC(2026, 1, 1)

/** Stores one of everything in a new workspace. @param name a word that every text has */
const filled = async (stores: AllStores, name: string) => {
  const workspace = newId('ws')
  const user = newUser({ id: newId('usr'), email: `${name}@example.com`, passwordHash: name, createdAt: at })
  const entry = (target: string) => anEntry({ workspace, target, before: { name }, after: null })
  const settings = newWorkspace({ id: workspace, name, plan: 'pro', createdAt: at })
  await stores.accounts.insertOwner(user, settings, entry('owner'))
  const seen = { createdAt: at, seenAt: at, csrfSalt: '', totpEnabledAt: null, device: name, address: '192.0.2.1' }
  const session = { hash: Buffer.from(`session ${name}`), user: user.id, workspace, ...seen }
  await stores.accounts.insertSession(session, entry('session'))
  await withPeople(stores, { workspace, name, owner: user.id })
  await stores.accounts.insertKey(aKey(workspace, `secret ${name}`), max, entry('key'))
  for (const attachments of [content.attachments, []]) {
    const one = email({ workspace, subject: name, metadata: { name } })
    const long = name.repeat(attachments.length === 0 ? 200_000 : 1)
    await stores.emails.insert(one, { ...content, html: long, attachments })
    await stores.ledger.reserve({ workspace, id: one.id, count: 1, at })
    const mode = 'live' as const
    const captured = { attemptId: newId('att'), emailId: one.id, workspace, mode, at, from: name, to: [name] }
    await stores.mailbox.put(captured)
    const scope = `${workspace} live POST /api/v1/emails`
    const key = { scope, key: newId('key') }
    const claim = { ...key, fingerprint: Buffer.from('f'), emailId: one.id, at, leaseMs: 1, requestId: 'req_1' }
    await stores.idempotency.claim(claim)
    await stores.idempotency.finish({ ...key, emailId: one.id, status: 202, body: name, expiresAt: at })
  }
  await stores.ledger.adjust({ workspace, id: `adj_${workspace}`, sends: 1, at })
  await stores.domains.insert(domain({ workspace, name: `${name}.example` }), at, max, entry('domain'))
  const texts = { subject: name, htmlBody: name, textBody: name, variables: [], version: 1 }
  const template = { id: newId('tpl'), workspace, name, ...texts, createdAt: at, updatedAt: at }
  await stores.templates.insert(template, max, entry('template'))
  await stores.templates.update({ ...template, version: 2 }, entry('template version'))
  const requested = { id: newId('era'), workspace, address: `${name}@example.com`, createdAt: at, nextAt: at }
  await stores.erasures.insert({ ...requested, completedAt: null, emails: 0, waiting: 0 }, entry('erasure'))
  await withStats(stores, { workspace, name })
  await withNotifications(stores, { workspace, name, user: user.id })
  return { workspace, user: user.id }
}

/** Adds statistics of both modes. */
const withStats = async (
  { stats }: AllStores,
  { workspace, name }: { workspace: string; name: string },
): Promise<void> => {
  for (const mode of ['live', 'test'] as const) {
    const bucket = emptyBucket({ workspace, mode, size: 'day', at })
    addOutcomes(bucket, [acceptedMail(at, { workspace, tags: { name } })], { from: 0, to: at })
    await stats.writeBucket(bucket, null)
    await stats.movePosition({ workspace, mode }, { from: 0, to: at })
  }
}

/**
 * Adds an event, its mail, a choice, a device, counts of outcomes and what follows from them, and a quota that is used
 * up.
 */
const withNotifications = async (
  { ledger, notifications, reputation, workspaceEvents }: AllStores,
  { workspace, name, user }: { workspace: string; name: string; user: string },
): Promise<void> => {
  const type = 'webhook.failing' as const
  const event: NewWorkspaceEvent = { id: newId('evt'), type, workspace, mode: internalMode, data: { name } }
  await workspaceEvents.insert([event])
  const group = withNewEvents(newGroup({ workspace, kind: 'webhooks', user: null }), [{ ...event, at }])
  await notifications.writeGroup(`webhooks ${workspace}`, group, at, null)
  const choices = new Map([
    [workspace, { quota: false }],
    ['', { sign_in: false }],
  ])
  await notifications.setPreferences(user, choices, () =>
    anEntry({ workspace, target: user, before: null, after: null }),
  )
  await notifications.rememberDevice(user, 'a device', at)
  await reputation.addOutcomes([{ workspace, hour: at, delivered: 1, bounced: 1, complained: 0 }])
  await reputation.writeReputation(workspace, { 'bounce 24h': { level: 'warning', rises: 1 } }, 0)
  await ledger.setAllowance(workspace, { monthly: 4, daily: null })
  await ledger.reserve({ workspace, id: newId('em'), count: 1, at })
}

/** Adds a member and an invitation, and the links that were mailed to both and to the owner. */
const withPeople = async (
  { accounts, links }: AllStores,
  { workspace, name, owner }: { workspace: string; name: string; owner: string },
): Promise<void> => {
  const entry = anEntry({ workspace, target: 'people', before: null, after: { name } })
  const member = newUser({ id: newId('usr'), email: `${name}@example.net`, passwordHash: name, createdAt: at })
  await accounts.insertUser(member, entry)
  const from = (await accounts.people(workspace)) ?? assert.fail()
  const times = { createdAt: at, sentAt: at, expiresAt: at + 1 }
  const email = `${name}@example.org`
  const invitation = { id: newId('inv'), email, role: 'viewer' as const, invitedBy: owner, ...times }
  const members = [...from.members, { user: member.id, role: 'member' as const, joinedAt: at }]
  assert.ok(await accounts.changePeople(workspace, { from, to: { members, invitations: [invitation] } }, entry))
  const link = (purpose: LinkPurpose, subject: string) => {
    const hash = createHash('sha256').update(`${purpose} ${subject}`).digest()
    return links.insertLink({ hash, purpose, subject, address: email, createdAt: at, expiresAt: at + 1 })
  }
  await link('invitation', linkSubject(workspace, invitation.id))
  for (const user of [owner, member.id]) {
    for (const purpose of ['confirm_email', 'change_email', 'reset_password'] as const) await link(purpose, user)
  }
}

const nameOf = (prefix: string): string => `${prefix}${newId('evt').slice(-10)}`

/** Returns the collections with a document that contains a text. */
const collectionsWith = (dump: ReadonlyMap<string, string[]>, text: string): string[] =>
  [...dump].filter(([, documents]) => documents.some((document) => document.includes(text))).map(([name]) => name)

/** Declares the tests of the removal of a workspace. */
export const workspaceErasureConformance = (adapter: string, open: () => AllStores | Promise<AllStores>) =>
  describe(`removal of a workspace from ${adapter}`, () => {
    it('removes all its data, and no data of other workspaces', async () => {
      const stores = await open()
      const [name, otherName] = [nameOf('gone'), nameOf('kept')]
      const { workspace, user } = await filled(stores, name)
      const other = await filled(stores, otherName)
      const before = await stores.dump()
      assert.ok(collectionsWith(before, name).length >= 8, String(collectionsWith(before, name)))
      const kept = collectionsWith(before, other.workspace)
      let steps = 0
      while ((await stores.erasure.step(workspace, 2)) > 0) steps += 1
      assert.ok(steps > 10, String(steps))
      assert.deepEqual(await stores.erasure.removed(at, 100), [{ id: workspace, isNew: true }])
      await stores.erasure.scheduleRecheck(workspace, at + 1)
      assert.deepEqual(await stores.erasure.removed(at, 100), [])
      assert.deepEqual(await stores.erasure.removed(at + 1, 100), [{ id: workspace, isNew: false }])
      assert.equal(await stores.erasure.forget(workspace), true)
      const after = await stores.dump()
      for (const text of [workspace, user, name]) assert.deepEqual(collectionsWith(after, text), [], text)
      assert.deepEqual(collectionsWith(after, other.workspace), kept)
      for (const [collection, documents] of before) {
        const count = (all: readonly string[]) => all.filter((one) => one.includes(other.workspace)).length
        assert.equal(count(after.get(collection) ?? []), count(documents), collection)
      }
    })

    // Regression: SQLite returned the limits from memory.
    it('removes its plan and limits', async () => {
      const stores = await open()
      const { workspace } = await filled(stores, nameOf('gone'))
      assert.equal((await stores.ledger.allowance(workspace)).monthly, 4)
      while ((await stores.erasure.step(workspace, 5)) > 0);
      assert.equal((await stores.ledger.allowance(workspace)).monthly, 'plan')
    })

    it('the removal of a workspace continues after any step', async () => {
      const stores = await open()
      const { workspace } = await filled(stores, nameOf('gone'))
      for (let limit = 1; (await stores.erasure.step(workspace, limit)) > 0; limit = (limit % 3) + 1);
      assert.equal(await stores.erasure.step(workspace, 10), 0)
      assert.equal(await stores.erasure.forget(workspace), true)
      assert.deepEqual(collectionsWith(await stores.dump(), workspace), [])
    })

    it('keeps invoices with their numbers and amounts, without what people wrote', async () => {
      const stores = await open()
      const { workspace } = await filled(stores, nameOf('gone'))
      const month = '2026-02'
      const [plan, adjust] = (['plan', 'adjust'] as const).map((kind) => ({
        id: `${workspace}/${month}/${kind}/1`,
        workspace,
        month,
        kind,
        at,
        description: `${kind} Jane`,
        quantity: 1,
        unitCents: 700,
        amountCents: 700,
      }))
      assert.ok(plan && adjust)
      await stores.billing.addLines([plan, adjust])
      const id = newId('in')
      const invoice = { id, workspace, month, start: at, end: at + 1, lines: [plan.id, adjust.id], totalCents: 1_400 }
      await stores.billing.addInvoice({ ...invoice, status: 'open', issuedAt: at })
      await stores.billing.setStatus({ id, from: ['open'], to: 'void', at, reason: 'Jane asked.' }, null)
      while ((await stores.erasure.step(workspace, 5)) > 0);
      const found = await stores.billing.invoice(id, null)
      assert.deepEqual(
        [found?.seq, found?.reason, found?.lines.map(({ description, amountCents }) => [description, amountCents])],
        [
          1,
          '',
          [
            ['plan Jane', 700],
            ['Correction', 700],
          ],
        ],
      )
      assert.equal(await stores.erasure.forget(workspace), true)
      assert.deepEqual(collectionsWith(await stores.dump(), workspace).toSorted(), ['billing_lines', 'invoices'])
    })

    it('keeps plan, billing and ledger until the billing has ended, and no data', async () => {
      const stores = await open()
      const name = nameOf('gone')
      const { workspace, user } = await filled(stores, name)
      const billed = { workspace, account: emptyAccount('2026-02'), allowance: { plan: 'pro' as const } }
      assert.ok(await stores.billing.change({ ...billed, rev: 0, dueAt: at }, null))
      const used = async () => (await stores.ledger.usage(workspace, at)).monthly.used
      const before = await used()
      while ((await stores.erasure.step(workspace, 5)) > 0);
      const left = await stores.dump()
      for (const text of [name, user]) assert.deepEqual(collectionsWith(left, text), [], text)
      assert.equal(await used(), before)
      assert.equal((await stores.billing.read(workspace)).allowance.plan, 'pro')
      assert.equal(await stores.erasure.forget(workspace), false)
      assert.deepEqual(await stores.erasure.removed(at, 100), [{ id: workspace, isNew: true }])
      assert.ok(await stores.billing.change({ ...billed, rev: 1, dueAt: neverMs }, null))
      while ((await stores.erasure.step(workspace, 5)) > 0);
      assert.equal(await stores.erasure.forget(workspace), true)
      assert.deepEqual(collectionsWith(await stores.dump(), workspace), [])
    })

    it('keeps users who are members elsewhere', async () => {
      const stores = await open()
      const { workspace } = await filled(stores, nameOf('gone'))
      const other = await filled(stores, nameOf('kept'))
      while ((await stores.erasure.step(workspace, 5)) > 0);
      assert.equal(await stores.accounts.role(other.workspace, other.user), 'owner')
    })
  })
