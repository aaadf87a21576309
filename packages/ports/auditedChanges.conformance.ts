import assert from 'node:assert/strict'
import { newUser } from '@postrider/domain/accounts/users.ts'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import type { Preferences } from '@postrider/domain/notifications/kinds.ts'
import { madeAgain, type WebhookDelivery } from '@postrider/domain/webhooks/delivery.ts'
import type { WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import type { WebhookReplay } from '@postrider/domain/webhooks/replay.ts'
import { newId } from '@postrider/kit/ids.ts'
import { aKey, aWorkspace } from './accounts.conformance.ts'
import type { AccountStore, StoredKey, StoredSession, StoredWorkspace, User } from './accounts.ts'
import type { Audit, AuditEntry } from './audit.ts'
import { anEntry } from './auditFixtures.conformance.ts'
import type { DomainStore } from './domains.ts'
import { domain } from './domainsFixtures.conformance.ts'
import type { EmailStore } from './emails.ts'
import { content, email } from './emailsFixtures.conformance.ts'
import type { Ledger } from './ledger.ts'
import type { NotificationStore } from './notifications.ts'
import type { StoredTemplate, TemplateStore } from './templates.ts'
import type { UserStore } from './users.ts'
import type { WebhookDeliveryStore } from './webhookDeliveries.ts'
import type { WebhookEndpointStore } from './webhookEndpoints.ts'
import type { WebhookReplayStore } from './webhookReplays.ts'
import { webhookDelivery, webhookEndpoint, webhookReplay } from './webhooksFixtures.conformance.ts'

/** All stores with changes that have an audit entry. */
export type AuditedStores = {
  accounts: AccountStore
  domains: DomainStore
  emails: EmailStore
  ledger: Ledger
  notifications: NotificationStore
  templates: TemplateStore
  users: UserStore
  webhookDeliveries: WebhookDeliveryStore
  webhookEndpoints: WebhookEndpointStore
  webhookReplays: WebhookReplayStore
  audit: Audit
}

export type AuditedOpened = AuditedStores & {
  /**
   * Returns the stores as seen by a process that dies after this many writes: every later call fails. `onDeath` is
   * called for each call that fails.
   */
  dying(writes: number, onDeath: () => void): AuditedStores
  /** Moves the entries that dead processes left behind. */
  sweep(): Promise<void>
}

/** A change whose process died. `assertEntry` checks that the log has its entry if it is stored. */
type Died = { workspace: string; assertEntry(): Promise<void> }

/** What a test changes. */
type Subject = {
  user: User
  workspace: StoredWorkspace
  session: StoredSession
  key: StoredKey
  domain: ReturnType<typeof domain>
  email: Email
  template: StoredTemplate
  endpoint: WebhookEndpoint
  delivery: WebhookDelivery
  replay: WebhookReplay
}

type Change = {
  name: string
  /** Stores what is changed. */
  prepare?(stores: AuditedStores, subject: Subject): Promise<unknown>
  change(stores: AuditedStores, subject: Subject, entry: AuditEntry): Promise<unknown>
  isStored(stores: AuditedStores, subject: Subject): Promise<boolean>
}

const newSubject = (): Subject => {
  const workspace = aWorkspace(newId('ws'))
  const user = newUser({ id: newId('usr'), email: `${newId('usr')}@example.com`, passwordHash: 'x', createdAt: 1_000 })
  const hash = Uint8Array.from({ length: 32 }, (_, n) => user.id.charCodeAt(n) || n)
  const opened = { hash, csrfSalt: '', totpEnabledAt: null, device: '', address: '' }
  const times = { createdAt: 1_000, updatedAt: 1_000 }
  const endpoint = webhookEndpoint({ workspace: workspace.id })
  const parts = { subject: 'Hello', htmlBody: null, textBody: 'Hello', variables: [], version: 1 }
  return {
    user,
    workspace,
    session: { ...opened, user: user.id, workspace: workspace.id, createdAt: 1_000, seenAt: 1_000 },
    key: aKey(workspace.id, newId('key')),
    domain: domain({ workspace: workspace.id }),
    email: email({ workspace: workspace.id }),
    endpoint,
    delivery: webhookDelivery(endpoint.id, {}, { workspace: workspace.id }),
    replay: webhookReplay({ endpoint: endpoint.id, workspace: workspace.id }),
    template: { id: newId('tpl'), workspace: workspace.id, name: 'Welcome', ...parts, ...times },
  }
}

const sealed = 'sealed secret'

const owner = ({ accounts }: AuditedStores, { user, workspace }: Subject) =>
  accounts.insertOwner(user, workspace, anEntry())

const withKey = async (stores: AuditedStores, subject: Subject) => {
  await owner(stores, subject)
  await stores.accounts.insertKey(subject.key, 1, anEntry())
}

const withSession = async (stores: AuditedStores, subject: Subject) => {
  await owner(stores, subject)
  await stores.accounts.insertSession(subject.session, anEntry())
}

const withTotp = async (stores: AuditedStores, subject: Subject) => {
  await owner(stores, subject)
  const totp = { sealed, enabledAt: 1, lastStep: 0, recovery: ['code'] }
  await stores.users.changeUser(subject.user.id, { totp }, {}, anEntry())
}

const max = 10

const accountChanges: Change[] = [
  {
    name: 'a sign-up',
    change: ({ accounts }, { user, workspace }, entry) => accounts.insertOwner(user, workspace, entry),
    isStored: async ({ accounts }, { user }) => (await accounts.userByEmail(user.email)) !== null,
  },
  {
    name: 'a change of a workspace',
    prepare: owner,
    change: ({ accounts }, { workspace }, entry) => accounts.changeWorkspace(workspace.id, { note: 'b' }, () => entry),
    isStored: async ({ accounts }, { workspace }) => (await accounts.workspace(workspace.id))?.note === 'b',
  },
  {
    name: 'a login',
    prepare: owner,
    change: ({ accounts }, { session }, entry) => accounts.insertSession(session, entry),
    isStored: async ({ accounts }, { session }) => (await accounts.session(session.hash)) !== null,
  },
  {
    name: 'a logout',
    prepare: withSession,
    change: ({ accounts }, { session }, entry) => accounts.deleteSession(session.hash, entry),
    isStored: async ({ accounts }, { session }) => (await accounts.session(session.hash)) === null,
  },
  {
    name: 'a new key',
    prepare: owner,
    change: ({ accounts }, { key }, entry) => accounts.insertKey(key, 1, entry),
    isStored: async ({ accounts }, { workspace }) => (await accounts.listKeys(workspace.id, max)).length === 1,
  },
  {
    name: 'a change of a key',
    prepare: withKey,
    change: ({ accounts }, { key }, entry) =>
      accounts.changeKey(key.workspace, key.id, { name: 'b', scopes: [] }, () => entry),
    isStored: async ({ accounts }, { key }) => (await accounts.key(key.workspace, key.id))?.name === 'b',
  },
  {
    name: 'a revocation',
    prepare: withKey,
    change: ({ accounts }, { key }, entry) => accounts.changeKey(key.workspace, key.id, { revokedAt: 7 }, () => entry),
    isStored: async ({ accounts }, { key }) => (await accounts.key(key.workspace, key.id))?.revokedAt === 7,
  },
  {
    name: 'a replaced key',
    prepare: withKey,
    change: ({ accounts }, { key }, entry) => {
      const successor = { ...aKey(key.workspace, newId('key')), family: key.id, rolledFrom: key.id }
      return accounts.rollKey({ old: key, successor, expiresAt: 7 }, entry)
    },
    isStored: async ({ accounts }, { key }) => (await accounts.key(key.workspace, key.id))?.expiresAt === 7,
  },
]

/** Makes the owner a viewer: the store decides nothing. */
const demoted = async ({ accounts }: AuditedStores, { workspace }: Subject, entry: AuditEntry) => {
  const from = await accounts.people(workspace.id)
  if (from === null) return null
  const members = from.members.map((member) => ({ ...member, role: 'viewer' as const }))
  return accounts.changePeople(workspace.id, { from, to: { members, invitations: [] } }, entry)
}

const userChanges: Change[] = [
  {
    name: 'another password',
    prepare: owner,
    change: ({ users }, { user }, entry) =>
      users.changeUser(user.id, { passwordHash: 'y', sessionsSince: 7 }, { passwordHash: 'x' }, entry),
    isStored: async ({ users }, { user }) => (await users.user(user.id))?.passwordHash === 'y',
  },
  {
    name: 'another address',
    prepare: owner,
    change: ({ users }, { user }, entry) =>
      users.changeUser(user.id, { email: `new.${user.email}` }, { email: user.email }, entry),
    isStored: async ({ accounts }, { user }) => (await accounts.userByEmail(user.email)) === null,
  },
  {
    name: 'a second factor that is switched off',
    prepare: withTotp,
    change: ({ users }, { user }, entry) => users.changeUser(user.id, { totp: null }, { totp: sealed }, entry),
    isStored: async ({ users }, { user }) => (await users.user(user.id))?.totp === null,
  },
  {
    name: 'the use of a recovery code',
    prepare: withTotp,
    change: ({ users }, { user }, entry) => users.useRecoveryCode(user.id, 'code', entry),
    isStored: async ({ users }, { user }) => (await users.user(user.id))?.totp?.recovery.length === 0,
  },
  {
    name: 'the end of all sessions of a user',
    prepare: withSession,
    change: ({ users }, { user }, entry) => users.deleteSessionsOf(user.id, null, entry),
    isStored: async ({ accounts, users }, { session, user }) => {
      const isOpen = (await accounts.session(session.hash)) !== null
      assert.equal((await users.sessionsOf(user.id, 0, max)).length, isOpen ? 1 : 0)
      return !isOpen
    },
  },
  {
    name: 'the end of the other sessions of a user',
    prepare: async (stores, subject) => {
      await withSession(stores, subject)
      await stores.accounts.insertSession({ ...subject.session, hash: ownHash(subject) }, anEntry())
    },
    change: (stores, subject, entry) => stores.users.deleteSessionsOf(subject.user.id, ownHash(subject), entry),
    isStored: async ({ accounts }, subject) => {
      assert.notEqual(await accounts.session(ownHash(subject)), null, 'the session of the request continues')
      return (await accounts.session(subject.session.hash)) === null
    },
  },
  {
    name: 'a user whom the operator disables',
    prepare: owner,
    change: ({ accounts }, { user }, entry) => accounts.setUserDisabled(user.id, { at: 7, reason: '' }, () => entry),
    isStored: async ({ accounts }, { user }) => (await accounts.findUser(user.id))?.disabled?.at === 7,
  },
  {
    name: 'a user who becomes an operator',
    prepare: owner,
    change: ({ accounts }, { user }, entry) => accounts.setOperator(user.id, 7, () => entry),
    isStored: async ({ accounts }, { user }) => (await accounts.findUser(user.id))?.operatorSince === 7,
  },
]

const ownHash = ({ session }: Subject): Uint8Array => session.hash.with(0, 255)

const peopleChanges: Change[] = [
  {
    name: 'a new user without a workspace',
    change: ({ accounts }, { user }, entry) => accounts.insertUser(user, entry),
    isStored: async ({ accounts }, { user }) => (await accounts.userByEmail(user.email)) !== null,
  },
  {
    name: 'another workspace of a user',
    prepare: ({ accounts }, { user }) => accounts.insertUser(user, anEntry()),
    change: ({ accounts }, { user, workspace }, entry) => accounts.insertWorkspace(workspace, user.id, entry),
    isStored: async ({ accounts }, { workspace }) => (await accounts.workspace(workspace.id)) !== null,
  },
  {
    name: 'a change of members',
    prepare: owner,
    change: demoted,
    isStored: async ({ accounts }, { user, workspace }) => (await accounts.role(workspace.id, user.id)) === 'viewer',
  },
  {
    name: 'a session that moves',
    prepare: withSession,
    change: ({ accounts }, { user, workspace, session }, entry) =>
      accounts.moveSession(session.hash, { user: user.id, workspace: workspace.id, csrfSalt: 'b' }, entry),
    isStored: async ({ accounts }, { session }) => (await accounts.session(session.hash))?.session.csrfSalt === 'b',
  },
]

const withDomain = ({ domains }: AuditedStores, subject: Subject) =>
  domains.insert(subject.domain, 5_000, max, anEntry())

const otherChanges: Change[] = [
  {
    name: 'a first limit',
    change: ({ ledger }, { workspace }, entry) => ledger.setAllowance(workspace.id, { daily: 7 }, () => entry),
    isStored: async ({ ledger }, { workspace }) => (await ledger.allowance(workspace.id)).daily === 7,
  },
  {
    name: 'another limit',
    prepare: ({ ledger }, { workspace }) => ledger.setAllowance(workspace.id, { plan: 'unlimited' }),
    change: ({ ledger }, { workspace }, entry) =>
      ledger.setAllowance(workspace.id, { plan: 'pro', monthly: 7 }, () => entry),
    isStored: async ({ ledger }, { workspace }) => (await ledger.allowance(workspace.id)).monthly === 7,
  },
  {
    name: 'a new template',
    change: ({ templates }, { template }, entry) => templates.insert(template, max, entry),
    isStored: async ({ templates }, { template: { workspace, id } }) =>
      (await templates.get(workspace, id, 0)) !== null,
  },
  {
    name: 'a change of a template',
    prepare: ({ templates }, { template }) => templates.insert(template, max, anEntry()),
    change: ({ templates }, { template }, entry) => templates.update({ ...template, version: 2 }, entry),
    isStored: async ({ templates }, { template: { workspace, id } }) =>
      (await templates.get(workspace, id, 0))?.version === 2,
  },
  {
    name: 'the removal of a template',
    prepare: ({ templates }, { template }) => templates.insert(template, max, anEntry()),
    change: ({ templates }, { template: { workspace, id } }, entry) => templates.remove(workspace, id, 1, entry),
    isStored: async ({ templates }, { template: { workspace, id } }) =>
      (await templates.get(workspace, id, 0)) === null,
  },
  {
    name: 'a new domain',
    change: ({ domains }, subject, entry) => domains.insert(subject.domain, 5_000, max, entry),
    isStored: async ({ domains }, { domain: { workspace, id } }) => (await domains.get(workspace, id)) !== null,
  },
  {
    name: 'a change of a domain',
    prepare: withDomain,
    change: ({ domains }, { domain: before }, entry) =>
      domains.write(before.id, 0, { domain: { ...before, subdomains: false }, nextCheckAt: 9_000 }, [entry]),
    isStored: async ({ domains }, { domain: { workspace, id } }) =>
      (await domains.get(workspace, id))?.domain.subdomains === false,
  },
  {
    name: 'a removed domain',
    prepare: withDomain,
    change: ({ domains }, { domain: { workspace, id } }, entry) => domains.remove(workspace, id, () => entry),
    isStored: async ({ domains }, { domain: { workspace, id } }) => (await domains.get(workspace, id)) === null,
  },
  {
    name: 'a decision about an email',
    prepare: ({ emails }, subject) => emails.insert(subject.email, content),
    change: ({ emails }, { email: before }, entry) =>
      emails.change(before.id, 0, 1_000, { email: { ...before, subject: 'b' }, nextAt: null }, entry),
    isStored: async ({ emails }, { email: { id } }) => (await emails.get(id))?.email.subject === 'b',
  },
]

const withEndpoint = ({ webhookEndpoints }: AuditedStores, { endpoint }: Subject) =>
  webhookEndpoints.insert(endpoint, max, anEntry())

const withDelivery = ({ webhookDeliveries }: AuditedStores, { delivery }: Subject) =>
  webhookDeliveries.insert([{ delivery, leaseUntil: null }])

const webhookChanges: Change[] = [
  {
    name: 'a new webhook',
    change: ({ webhookEndpoints }, { endpoint }, entry) => webhookEndpoints.insert(endpoint, max, entry),
    isStored: async ({ webhookEndpoints }, { endpoint: { workspace, id } }) =>
      (await webhookEndpoints.get(workspace, id)) !== null,
  },
  {
    name: 'a change of a webhook',
    prepare: withEndpoint,
    change: ({ webhookEndpoints }, { endpoint }, entry) =>
      webhookEndpoints.write(endpoint.id, 0, { endpoint: { ...endpoint, description: 'b' }, restart: false }, [entry]),
    isStored: async ({ webhookEndpoints }, { endpoint: { workspace, id } }) =>
      (await webhookEndpoints.get(workspace, id))?.endpoint.description === 'b',
  },
  {
    name: 'a removed webhook',
    prepare: withEndpoint,
    change: ({ webhookEndpoints }, { endpoint: { workspace, id } }, entry) =>
      webhookEndpoints.remove(workspace, id, () => entry),
    isStored: async ({ webhookEndpoints }, { endpoint: { workspace, id } }) =>
      (await webhookEndpoints.get(workspace, id)) === null,
  },
  {
    name: 'a delivery that a person requests',
    change: ({ webhookDeliveries }, { delivery }, entry) => webhookDeliveries.insertRequested(delivery, entry),
    isStored: async ({ webhookDeliveries }, { delivery: { endpoint, id } }) =>
      (await webhookDeliveries.get(endpoint, id)) !== null,
  },
  {
    name: 'a delivery that a person requests again',
    prepare: withDelivery,
    change: ({ webhookDeliveries }, { delivery: { endpoint, id } }, entry) =>
      webhookDeliveries.changeRequested({ endpoint, id, now: 1_000 }, (before) => madeAgain(before, 7_000), entry),
    isStored: async ({ webhookDeliveries }, { delivery: { endpoint, id } }) =>
      (await webhookDeliveries.get(endpoint, id))?.delivery.nextAt === 7_000,
  },
  {
    name: 'a replay',
    change: ({ webhookReplays }, { replay }, entry) => webhookReplays.insert(replay, entry),
    isStored: async ({ webhookReplays }, { replay: { endpoint, id } }) =>
      (await webhookReplays.get(endpoint, id)) !== null,
  },
]

const choiceOf = async ({ notifications }: AuditedStores, { user, workspace }: Subject): Promise<boolean> => {
  const found = await Promise.all([workspace.id, ''].map((scope) => notifications.preferences(scope, [user.id])))
  const [inWorkspace, ofAccount] = found.map((one) => one.get(user.id) ?? {})
  assert.equal(inWorkspace?.quota === false, ofAccount?.sign_in === false, 'one choice is stored without the other')
  return inWorkspace?.quota === false
}

const chosen = ({ notifications }: AuditedStores, { user, workspace }: Subject, entry: AuditEntry) => {
  const changes = new Map<string, Preferences>([
    [workspace.id, { quota: false }],
    ['', { sign_in: false }],
  ])
  return notifications.setPreferences(user.id, changes, () => entry)
}

const choiceChanges: Change[] = [
  { name: 'a first choice of emails', change: chosen, isStored: choiceOf },
  {
    name: 'another choice of emails',
    prepare: ({ notifications }, { user }) =>
      notifications.setPreferences(user.id, new Map([['', { sign_in: true }]]), () => anEntry()),
    change: chosen,
    isStored: choiceOf,
  },
]

const allChanges = [
  ...accountChanges,
  ...userChanges,
  ...peopleChanges,
  ...otherChanges,
  ...webhookChanges,
  ...choiceChanges,
]

/** Number of writes that no change reaches. */
const maxWrites = 8

const entriesOf = async ({ audit }: AuditedStores, action: string): Promise<AuditEntry[]> => {
  return audit.list({ ...noAuditFilter, workspace: null, action: { is: action }, limit: 100 })
}

/** Declares that each change and its entry are stored together, whenever the process dies. */
export const auditedChangesConformance = (adapter: string, open: () => AuditedOpened | Promise<AuditedOpened>) =>
  describe(`audited changes in ${adapter}`, () => {
    const action = 'test.change'

    for (const { name, prepare, change, isStored } of allChanges) {
      const whenDying = async (work: (stores: AuditedOpened, died: Died) => Promise<void>) => {
        const stores = await open()
        const outcomes = new Set<boolean>()
        let died = true
        // Once a process has survived, one that dies later makes the same change.
        for (let writes = 0; died && writes <= maxWrites; writes++) {
          died = false
          const subject = newSubject()
          await prepare?.(stores, subject)
          const before = (await entriesOf(stores, action)).length
          const entry = anEntry({ action, workspace: subject.workspace.id })
          const dying = stores.dying(writes, () => {
            died = true
          })
          await change(dying, subject, entry).catch(() => {})
          const stored = await isStored(stores, subject)
          outcomes.add(stored)
          const assertEntry = async () => {
            assert.equal(await isStored(stores, subject), stored, 'nothing else is changed')
            const entries = await entriesOf(stores, action)
            const reason = `${stored ? '' : 'not '}stored after ${writes} writes`
            assert.equal(entries.length - before, stored ? 1 : 0, reason)
            if (stored)
              assert.deepEqual(
                entries.find(({ id }) => id === entry.id),
                entry,
              )
          }
          await work(stores, { workspace: subject.workspace.id, assertEntry })
        }
        assert.deepEqual([...outcomes].toSorted(), [false, true])
      }

      it(`store ${name} and its entry as one, whenever the process dies`, () =>
        whenDying(async ({ sweep }, { assertEntry }) => {
          await sweep()
          await sweep()
          await assertEntry()
        }))

      it(`have the entry of ${name} in the log when it is completed, and once after a sweep`, () =>
        whenDying(async ({ audit, sweep }, { workspace, assertEntry }) => {
          await audit.complete('ws_other')
          await audit.complete(workspace)
          await assertEntry()
          await sweep()
          await assertEntry()
        }))

      it(`show the entry of ${name} as soon as it is stored`, async () => {
        const stores = await open()
        const subject = newSubject()
        await prepare?.(stores, subject)
        await change(stores, subject, anEntry({ action }))
        assert.equal((await entriesOf(stores, action)).length, 1)
      })
    }

    it('leave no entry of a change that is refused', async () => {
      const stores = await open()
      const subject = newSubject()
      await withKey(stores, subject)
      await withDomain(stores, subject)
      const entry = () => anEntry({ action })
      const { accounts, domains, emails, templates } = stores
      await accounts.insertOwner({ ...subject.user, id: newId('usr') }, aWorkspace(newId('ws')), entry())
      await accounts.insertKey(aKey(subject.workspace.id, 'other'), 1, entry())
      await accounts.deleteSession(new Uint8Array(32), entry())
      await accounts.changeKey(newId('ws'), subject.key.id, { name: 'b' }, entry)
      await accounts.changeKey(subject.workspace.id, subject.key.id, { name: 'b' }, () => null)
      await accounts.changeWorkspace(newId('ws'), { name: 'b' }, entry)
      await domains.insert(domain({ workspace: subject.workspace.id }), 1, max, entry())
      await domains.write(subject.domain.id, 99, { domain: subject.domain, nextCheckAt: 1 }, [entry()])
      await domains.remove(newId('ws'), subject.domain.id, entry)
      await emails.change(newId('em'), 0, 1, { email: subject.email, nextAt: null }, entry())
      await templates.insert(subject.template, max, anEntry())
      assert.equal(await templates.insert({ ...subject.template, id: newId('tpl') }, max, entry()), 'name_taken')
      await templates.insert({ ...subject.template, id: newId('tpl'), name: 'Other' }, 1, entry())
      const { delivery, endpoint, replay } = subject
      const { notifications, webhookDeliveries, webhookEndpoints, webhookReplays } = stores
      const deliveryKey = { endpoint: delivery.endpoint, id: delivery.id, now: 1_000 }
      assert.equal(
        await webhookDeliveries.changeRequested(deliveryKey, (before) => before, entry()),
        null,
        'it does not exist',
      )
      await webhookDeliveries.insert([{ delivery, leaseUntil: 1_001 }])
      assert.equal(
        await webhookDeliveries.changeRequested(deliveryKey, (before) => before, entry()),
        null,
        'an attempt runs',
      )
      await webhookDeliveries.insertRequested(delivery, entry())
      await withEndpoint(stores, subject)
      assert.equal(
        await webhookEndpoints.insert(webhookEndpoint({ workspace: endpoint.workspace }), 1, entry()),
        'full',
      )
      assert.equal(await webhookEndpoints.write(endpoint.id, 9, { endpoint, restart: false }, [entry()]), false)
      assert.equal(await webhookEndpoints.remove(newId('ws'), endpoint.id, entry), null)
      await webhookReplays.insert(replay, anEntry())
      assert.equal(await webhookReplays.insert({ ...replay, id: newId('rpl') }, entry()), 'running')
      await notifications.setPreferences(subject.user.id, new Map([['', { sign_in: true }]]), () => null)
      await stores.sweep()
      assert.deepEqual(await entriesOf(stores, action), [])
      assert.equal((await accounts.key(subject.workspace.id, subject.key.id))?.name, 'Key')
    })

    it('show in each entry of concurrent changes the value before it', async () => {
      const stores = await open()
      const subject = newSubject()
      await owner(stores, subject)
      const rename = (note: string) =>
        stores.accounts.changeWorkspace(subject.workspace.id, { note }, (before, after) =>
          anEntry({ action, before: { note: before.note }, after: { note: after.note } }),
        )
      const notes = ['a', 'b', 'c', 'd']
      await Promise.all(notes.map(rename))
      const entries = await entriesOf(stores, action)
      const followers = new Map(entries.map(({ before, after }) => [before?.['note'], after?.['note']]))
      assert.equal(followers.size, notes.length)
      let note: unknown = ''
      for (const _ of notes) note = followers.get(note as string)
      assert.equal(note, (await stores.accounts.workspace(subject.workspace.id))?.note)
    })
  })
