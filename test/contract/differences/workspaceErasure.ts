import { mongoAccounts } from '@postrider/adapters/mongo/accounts/accounts.ts'
import { mongoLinks } from '@postrider/adapters/mongo/accounts/links.ts'
import { mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { mongoBilling } from '@postrider/adapters/mongo/billing/billing.ts'
import { mongoDomains } from '@postrider/adapters/mongo/domains/domains.ts'
import { mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoMailbox } from '@postrider/adapters/mongo/emails/mailbox.ts'
import { mongoErasures } from '@postrider/adapters/mongo/erasure/erasures.ts'
import { mongoWorkspaceErasure } from '@postrider/adapters/mongo/erasure/workspaceErasure.ts'
import { mongoEventFeed } from '@postrider/adapters/mongo/events/eventFeed.ts'
import { mongoStats } from '@postrider/adapters/mongo/events/stats.ts'
import { mongoWorkspaceEvents } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import { mongoIdempotency } from '@postrider/adapters/mongo/idempotency.ts'
import { mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { mongoNotifications } from '@postrider/adapters/mongo/notifications/notifications.ts'
import { mongoReputation } from '@postrider/adapters/mongo/notifications/reputation.ts'
import { mongoTemplates } from '@postrider/adapters/mongo/templates.ts'
import { mongoTestClocks } from '@postrider/adapters/mongo/testClocks.ts'
import { mongoWebhookDeliveries } from '@postrider/adapters/mongo/webhooks/deliveries.ts'
import { mongoWebhookEndpoints } from '@postrider/adapters/mongo/webhooks/endpoints.ts'
import { mongoWebhookReplays } from '@postrider/adapters/mongo/webhooks/replays.ts'
import { sqliteAccounts } from '@postrider/adapters/sqlite/accounts/accounts.ts'
import { sqliteLinks } from '@postrider/adapters/sqlite/accounts/links.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteBilling } from '@postrider/adapters/sqlite/billing/billing.ts'
import { sqliteDomains } from '@postrider/adapters/sqlite/domains/domains.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteMailbox } from '@postrider/adapters/sqlite/emails/mailbox.ts'
import { sqliteErasures } from '@postrider/adapters/sqlite/erasure/erasures.ts'
import { sqliteWorkspaceErasure } from '@postrider/adapters/sqlite/erasure/workspaceErasure.ts'
import { sqliteEventFeed } from '@postrider/adapters/sqlite/events/eventFeed.ts'
import { sqliteStats } from '@postrider/adapters/sqlite/events/stats.ts'
import { sqliteWorkspaceEvents } from '@postrider/adapters/sqlite/events/workspaceEvents.ts'
import { sqliteIdempotency } from '@postrider/adapters/sqlite/idempotency.ts'
import { sqliteAllowances } from '@postrider/adapters/sqlite/ledger/allowances.ts'
import { sqliteLedger } from '@postrider/adapters/sqlite/ledger/ledger.ts'
import { sqliteNotifications } from '@postrider/adapters/sqlite/notifications/notifications.ts'
import { sqliteReputation } from '@postrider/adapters/sqlite/notifications/reputation.ts'
import { sqliteTemplates } from '@postrider/adapters/sqlite/templates.ts'
import { sqliteTestClocks } from '@postrider/adapters/sqlite/testClocks.ts'
import { sqliteWebhookDeliveries } from '@postrider/adapters/sqlite/webhooks/deliveries.ts'
import { sqliteWebhookEndpoints } from '@postrider/adapters/sqlite/webhooks/endpoints.ts'
import { sqliteWebhookReplays } from '@postrider/adapters/sqlite/webhooks/replays.ts'
import { linkPurposes, linkSubject } from '@postrider/domain/accounts/links.ts'
import { newUser } from '@postrider/domain/accounts/users.ts'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { emptyAccount, type InvoiceDraft } from '@postrider/domain/billing/account.ts'
import { adjustCharge, type Charge } from '@postrider/domain/billing/charges.ts'
import { noFilter } from '@postrider/domain/email/filter.ts'
import { movedClock, unmovedClock } from '@postrider/domain/email/testClock.ts'
import { internalMode } from '@postrider/domain/events/event.ts'
import { newGroup, withNewEvents } from '@postrider/domain/notifications/group.ts'
import { addOutcomesSteps, emptyBucket } from '@postrider/domain/stats/bucket.ts'
import { dayStart, hourMs, minuteMs, monthOf, neverMs } from '@postrider/domain/time.ts'
import { deliveryId, newDelivery } from '@postrider/domain/webhooks/delivery.ts'
import { newReplay } from '@postrider/domain/webhooks/replay.ts'
import { idOf } from '@postrider/kit/ids.ts'
import { aKey, aWorkspace } from '@postrider/ports/accounts.conformance.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import { domain } from '@postrider/ports/domainsFixtures.conformance.ts'
import { content, email } from '@postrider/ports/emailsFixtures.conformance.ts'
import type { EventFeed } from '@postrider/ports/eventFeed.ts'
import { acceptedMail } from '@postrider/ports/statsFixtures.conformance.ts'
import type { TestClockStore } from '@postrider/ports/testClocks.ts'
import type { WebhookDeliveryStore } from '@postrider/ports/webhookDeliveries.ts'
import type { WebhookEndpointStore } from '@postrider/ports/webhookEndpoints.ts'
import type { WebhookReplayStore } from '@postrider/ports/webhookReplays.ts'
import { webhookEndpoint } from '@postrider/ports/webhooksFixtures.conformance.ts'
import type { AllStores } from '@postrider/ports/workspaceErasure.conformance.ts'
import fc from 'fast-check'
import { inOneStep } from '../../support/inOneStep.ts'
import { type Comparison, inAnyOrder, type Moment, newIdOf, operationsOn, timeOf } from './compare.ts'

/** What an operation stored: its id, with that of its workspace. */
type Stored = { workspace: string; id: string }

type Stores = Omit<AllStores, 'dump'> & {
  feed: EventFeed
  clocks: TestClockStore
  endpoints: WebhookEndpointStore
  deliveries: WebhookDeliveryStore
  replays: WebhookReplayStore
  /** Workspaces that exist or existed. */
  created: Set<string>
  emailIds: Stored[]
  batchIds: Stored[]
  templateIds: Stored[]
  domainIds: Stored[]
  endpointIds: Stored[]
  deliveryIds: { endpoint: string; id: string }[]
  erasureIds: Stored[]
  invoiceIds: Stored[]
  keys: { scope: string; key: string }[]
  hashes: Uint8Array[]
}

const operation = operationsOn<Stores>()
const addOutcomes = inOneStep(addOutcomesSteps)

/** One id is the beginning of another. */
const workspaces = ['ws_1', 'ws_1a', 'ws_2']
const users = ['usr_1', 'usr_2', 'usr_3']
const workspace = fc.constantFrom(...workspaces)
const user = fc.constantFrom(...users)
const max = 100

const entryOf = (moment: Moment, of: string, suffix = '') =>
  anEntry({ id: `${newIdOf('aud', moment)}${suffix}`, workspace: of, target: of, at: timeOf(moment) })

const isThere = async ({ accounts }: Stores, of: string): Promise<boolean> => (await accounts.workspace(of)) !== null

const hashOf = (moment: Moment): Uint8Array => new Uint8Array(32).fill(moment.step + 1)

const people = {
  create: operation(
    { workspace, user },
    async (stores, given, moment) => {
      const { accounts, created } = stores
      if (created.has(given.workspace)) return null
      created.add(given.workspace)
      const owner = newUser({ id: given.user, email: `${given.user}@example.com`, passwordHash: '', createdAt: 1 })
      const one = { ...aWorkspace(given.workspace), createdAt: timeOf(moment) }
      if ((await accounts.users([given.user])).length === 0)
        return accounts.insertOwner(owner, one, entryOf(moment, given.workspace))
      return accounts.insertWorkspace(one, given.user, entryOf(moment, given.workspace))
    },
    8,
  ),
  join: operation(
    { workspace, user, isInvited: fc.boolean() },
    async ({ accounts, links, hashes }, given, moment) => {
      const from = await accounts.people(given.workspace)
      if (from === null || from.members.some((one) => one.user === given.user)) return null
      const at = timeOf(moment)
      const invited = { id: newIdOf('inv', moment), email: 'new@example.com', role: 'viewer' as const, invitedBy: 'a' }
      if (given.isInvited) {
        const subject = linkSubject(given.workspace, invited.id)
        const times = { createdAt: at, expiresAt: neverMs }
        await links.insertLink({
          hash: hashOf(moment),
          purpose: 'invitation',
          subject,
          address: 'a@b.example',
          ...times,
        })
        hashes.push(hashOf(moment))
        const invitations = [...from.invitations, { ...invited, createdAt: at, sentAt: at, expiresAt: neverMs }]
        const to = { members: from.members, invitations }
        return accounts.changePeople(given.workspace, { from, to }, entryOf(moment, given.workspace))
      }
      const one = newUser({ id: given.user, email: `${given.user}@example.com`, passwordHash: '', createdAt: 1 })
      if ((await accounts.users([given.user])).length === 0) await accounts.insertUser(one, entryOf(moment, '', 'u'))
      const members = [...from.members, { user: given.user, role: 'member' as const, joinedAt: at }]
      const to = { members, invitations: from.invitations }
      return accounts.changePeople(given.workspace, { from, to }, entryOf(moment, given.workspace))
    },
    4,
  ),
  logIn: operation(
    { workspace, user, purpose: fc.constantFrom(...linkPurposes.slice(1)) },
    async ({ accounts, links, notifications, hashes }, given, moment) => {
      const role = await accounts.role(given.workspace, given.user)
      if (role === null) return null
      const [hash, at] = [hashOf(moment), timeOf(moment)]
      hashes.push(hash)
      const opened = { csrfSalt: '', createdAt: at, seenAt: at, device: 'a', address: '', totpEnabledAt: null }
      const session = { hash, user: given.user, workspace: given.workspace, ...opened }
      const link = { hash, purpose: given.purpose, subject: given.user, address: 'a@b.example', createdAt: at }
      await links.insertLink({ ...link, expiresAt: neverMs })
      await notifications.rememberDevice(given.user, 'a', at)
      return accounts.insertSession(session, entryOf(moment, given.workspace))
    },
    3,
  ),
  insertKey: operation({ workspace }, async (stores, given, moment) => {
    if (!(await isThere(stores, given.workspace))) return null
    const id = newIdOf('key', moment)
    return stores.accounts.insertKey(aKey(given.workspace, id, id), max, entryOf(moment, given.workspace))
  }),
  setPreferences: operation({ user, scope: fc.constantFrom('', ...workspaces) }, async (stores, given, moment) => {
    if ((await stores.accounts.users([given.user])).length === 0) return null
    const changes = new Map([[given.scope, { quota: false }]])
    return stores.notifications.setPreferences(given.user, changes, () => entryOf(moment, given.scope))
  }),
}

/** What a request that had begun may also store after the removal of its workspace. */
const ofMail = {
  insertEmail: operation(
    { workspace, isLong: fc.boolean(), isTest: fc.boolean() },
    async (stores, given, moment) => {
      const { emails, ledger, emailIds } = stores
      const of = { id: `em_${String(moment.step).padStart(26, '0')}`, workspace: given.workspace }
      emailIds.push(of)
      const one = acceptedMail(timeOf(moment), { ...of, mode: given.isTest ? 'test' : 'live' })
      const inserted = await emails.insert(one, { ...content, html: 'ü'.repeat(given.isLong ? 200_000 : 1) })
      const reserved = await ledger.reserve({ ...of, count: 1, at: moment.now })
      return [inserted, reserved.kind]
    },
    6,
  ),
  batch: operation(
    { workspace, isAccepted: fc.boolean() },
    async ({ emails, batchIds, emailIds }, given, moment) => {
      const at = timeOf(moment)
      const head = {
        id: `bat_${String(moment.step).padStart(26, '0')}`,
        workspace: given.workspace,
        at,
        until: neverMs,
      }
      batchIds.push(head)
      const ids = [0, 1].map((index) => `em_${String(1_000 + moment.step * 10 + index).padStart(26, '0')}`)
      const all = ids.map((id, number) => ({
        // Lists leave the order of emails of one millisecond to each store.
        email: email({ id, workspace: given.workspace, createdAt: at + 500 * number }),
        content,
        item: { number, id, sends: 1, kind: 'due' as const, bytes: 1 },
      }))
      emailIds.push(...ids.map((id) => ({ id, workspace: given.workspace })))
      const staged = await emails.stageBatch(head, all.slice(0, 1))
      if (!given.isAccepted) return staged
      return emails.acceptBatch(head, all.slice(1), { results: 'r', now: moment.now })
    },
    3,
  ),
  adjust: operation({ workspace }, ({ ledger }, given, moment) =>
    ledger.adjust({ workspace: given.workspace, id: newIdOf('adj', moment), sends: 2, at: moment.now }),
  ),
  capture: operation({ workspace }, ({ mailbox }, given, moment) => {
    const of = { attemptId: newIdOf('att', moment), emailId: 'em_1', workspace: given.workspace, mode: 'live' as const }
    return mailbox.put({ ...of, at: moment.now, from: 'a@b.example', to: ['c@d.example'] })
  }),
  claimKey: operation(
    { workspace, isFinished: fc.boolean() },
    async ({ idempotency, keys }, given, moment) => {
      const key = { scope: `${given.workspace} live POST /emails`, key: `k${moment.step}` }
      keys.push(key)
      const claim = { fingerprint: Uint8Array.of(1), emailId: 'em_1', at: moment.now, leaseMs: minuteMs }
      await idempotency.claim({ ...key, ...claim, requestId: 'req_1' })
      if (given.isFinished)
        await idempotency.finish({ ...key, emailId: 'em_1', status: 202, body: 'x', expiresAt: neverMs })
    },
    2,
  ),
}

const ofSettings = {
  insertDomain: operation({ workspace }, async ({ domains, domainIds }, given, moment) => {
    const of = { id: newIdOf('dom', moment), workspace: given.workspace }
    domainIds.push(of)
    const one = { ...domain({ ...of, name: `d${moment.step}.example` }), createdAt: timeOf(moment) }
    return domains.insert(one, timeOf(moment), max, entryOf(moment, given.workspace))
  }),
  insertTemplate: operation({ workspace }, async ({ templates, templateIds }, given, moment) => {
    const of = { id: newIdOf('tpl', moment), workspace: given.workspace }
    templateIds.push(of)
    const texts = { name: of.id, subject: 's', htmlBody: 'h', textBody: null, variables: [], alias: of.id }
    const one = { ...of, ...texts, version: 1, createdAt: timeOf(moment), updatedAt: timeOf(moment) }
    return [
      await templates.insert(one, max, entryOf(moment, given.workspace)),
      await templates.update({ ...one, version: 2 }, entryOf(moment, given.workspace, 'v')),
    ]
  }),
  requestErasure: operation({ workspace }, ({ erasures, erasureIds }, given, moment) => {
    const of = { id: newIdOf('era', moment), workspace: given.workspace }
    erasureIds.push(of)
    const at = timeOf(moment)
    const requested = { ...of, address: 'a@b.example', createdAt: at, nextAt: at, completedAt: null }
    return erasures.insert({ ...requested, emails: 0, waiting: 0 }, entryOf(moment, given.workspace))
  }),
  moveClock: operation({ workspace }, async ({ clocks }, given, moment) => {
    const stored = (await clocks.get(given.workspace)) ?? unmovedClock(given.workspace)
    const moved = movedClock(stored, { byMs: hourMs }, timeOf(moment))
    return 'clock' in moved && clocks.move(moved.clock, entryOf(moment, given.workspace))
  }),
  record: operation({ workspace }, ({ audit }, given, moment) => audit.record(entryOf(moment, given.workspace))),
}

const ofWebhooks = {
  insertEndpoint: operation(
    { workspace },
    ({ endpoints, endpointIds }, given, moment) => {
      const of = { id: newIdOf('wh', moment), workspace: given.workspace }
      endpointIds.push(of)
      return endpoints.insert(webhookEndpoint({ ...of, since: timeOf(moment) }), max, entryOf(moment, of.workspace))
    },
    2,
  ),
  // A store may leave what an endpoint had to the chore that removes it, which runs here with the removal.
  removeEndpoint: operation({ workspace }, async ({ endpoints, deliveries, replays, endpointIds }, given, moment) => {
    const { id = '' } = endpointIds.find((one) => one.workspace === given.workspace) ?? {}
    const removed = await endpoints.remove(given.workspace, id, () => entryOf(moment, given.workspace))
    await deliveries.removeOf(id, max)
    await replays.removeOf(id)
    return removed
  }),
  deliver: operation(
    { workspace },
    async ({ endpoints, deliveries, replays, endpointIds, deliveryIds }, given, moment) => {
      const to = endpointIds.findLast((one) => one.workspace === given.workspace)
      if (!to || (await endpoints.get(to.workspace, to.id)) === null) return null
      const at = timeOf(moment)
      const event = {
        id: idOf('evt', at, new Uint8Array(10).fill(1)),
        type: 'email.bounced',
        at,
        mode: 'live',
      } as const
      deliveryIds.push({ endpoint: to.id, id: deliveryId(to.id, event.id) })
      const window = { from: at - hourMs, to: at }
      return [
        (await deliveries.insert([{ delivery: newDelivery(to, event, at), leaseUntil: null }])).size,
        await replays.insert(newReplay(newIdOf('rpl', moment), to, window, at), entryOf(moment, given.workspace)),
      ]
    },
    2,
  ),
}

const ofCounts = {
  writeStats: operation({ workspace, mode: fc.constantFrom('live', 'test') }, async ({ stats }, given, { now }) => {
    const bucket = emptyBucket({ ...given, size: 'day', at: dayStart(now) })
    addOutcomes(bucket, [acceptedMail(now, { workspace: given.workspace })], { from: 0, to: now })
    return [await stats.writeBucket(bucket, null), await stats.movePosition(given, { from: 0, to: now })]
  }),
  addOutcomes: operation({ workspace }, async ({ reputation }, given, { now }) => {
    const one = { workspace: given.workspace, hour: now - (now % hourMs), delivered: 1, bounced: 1, complained: 0 }
    await reputation.addOutcomes([one])
    return reputation.writeReputation(given.workspace, { 'bounce 24h': { level: 'warning', rises: 1 } }, 0)
  }),
  addEvent: operation({ workspace, isInternal: fc.boolean() }, async (stores, given, moment) => {
    const { workspaceEvents, notifications } = stores
    const [type, mode] = given.isInternal
      ? (['webhook.failing', internalMode] as const)
      : (['quota.warning', 'live'] as const)
    const event = { id: newIdOf('evt', moment), type, workspace: given.workspace, mode, data: { a: 1 } }
    const group = withNewEvents(newGroup({ workspace: given.workspace, kind: 'webhooks', user: null }), [
      { ...event, at: moment.now },
    ])
    return [
      await workspaceEvents.insert([event]),
      await notifications.writeGroup(`webhooks ${given.workspace}`, group, timeOf(moment), null),
    ]
  }),
}

const charge = (of: string, { step, now }: Moment): Charge =>
  adjustCharge(
    { workspace: of, month: monthOf(now), n: step, at: now + step, description: 'Ann requested it.' },
    { quantity: 1, unitCents: 5 },
  )

const ofBilling = {
  setAllowance: operation(
    { workspace, allowance: fc.constantFrom({ monthly: 4 }, { plan: 'pro' as const }, { plan: 'free' as const }) },
    ({ ledger }, given) => ledger.setAllowance(given.workspace, given.allowance),
    2,
  ),
  changeBilling: operation(
    { workspace, isEnded: fc.boolean() },
    async ({ billing }, given, moment) => {
      const { account, rev } = await billing.read(given.workspace)
      const state = account ?? emptyAccount(monthOf(moment.now))
      const dueAt = given.isEnded ? neverMs : timeOf(moment)
      return billing.change({ workspace: given.workspace, rev, account: state, allowance: {}, dueAt }, null)
    },
    3,
  ),
  invoice: operation({ workspace, isVoid: fc.boolean() }, async ({ billing, invoiceIds }, given, moment) => {
    const of = { id: newIdOf('in', moment), workspace: given.workspace }
    invoiceIds.push(of)
    const line = charge(given.workspace, moment)
    await billing.addLines([line])
    const period = { month: monthOf(moment.now), start: moment.now - 1, end: moment.now, lines: [line.id] }
    const draft: InvoiceDraft = { ...of, ...period, totalCents: 5, status: 'open', issuedAt: moment.now }
    await billing.addInvoice(draft)
    const notice = { id: `${of.id}/1`, workspace: of.workspace, invoice: of.id, number: 'PR-1', amountCents: 5 }
    await billing.addNotice({ ...notice, at: timeOf(moment), reason: 'declined', page: null, nextAt: null })
    const ended = {
      id: of.id,
      from: ['open'] as const,
      to: 'void' as const,
      at: moment.now,
      reason: 'Ann requested it.',
    }
    return given.isVoid ? billing.setStatus(ended, null) : null
  }),
}

/** Returns how many steps removed something. Which step removes what is left to each store. */
const eraseAll = async ({ erasure }: Stores, of: string, limit: number): Promise<number> => {
  for (let steps = 0; ; steps++) if ((await erasure.step(of, limit)) === 0) return steps
}

const ofErasure = {
  erase: operation(
    { workspace, limit: fc.constantFrom(2, 100) },
    async (stores, given) =>
      stores.created.has(given.workspace) && (await eraseAll(stores, given.workspace, given.limit)) > 0,
    6,
  ),
  recheck: operation({ backMs: fc.constantFrom(0, hourMs) }, async ({ erasure }, given, moment) => {
    const found = await erasure.removed(moment.now - given.backMs, max)
    for (const [index, { id }] of found.entries()) await erasure.scheduleRecheck(id, timeOf(moment) + index * 100)
    return found[0]?.isNew === true ? inAnyOrder(found) : found
  }),
  forget: operation({ workspace }, async (stores, given) => {
    // The service forgets a workspace when nothing is left.
    const isRemoved = stores.created.has(given.workspace) && !(await isThere(stores, given.workspace))
    return isRemoved && (await eraseAll(stores, given.workspace, max)) === 0 && stores.erasure.forget(given.workspace)
  }),
}

const each = <Item, Result>(items: readonly Item[], read: (item: Item) => Promise<Result>): Promise<Result[]> =>
  Promise.all(items.map(read))

const contentsOf = async (stores: Stores, of: string, { now }: Moment): Promise<unknown> => {
  const { accounts, billing, ledger, idempotency, stats } = stores
  const feed = { workspace: of, mode: null, order: 'asc', after: null, until: now + 1_000, limit: 1_000 } as const
  const days = { size: 'day', from: 0, to: now + hourMs, by: 'status' } as const
  return {
    workspace: await accounts.workspace(of),
    people: await accounts.people(of),
    keys: await accounts.listKeys(of, max),
    lastSeen: await accounts.lastSeen(of, users),
    emails: await stores.emails.list({ ...noFilter, workspace: of, limit: max, now }),
    events: inAnyOrder((await stores.feed.readEvents(feed)).events),
    captured: await stores.mailbox.list({ workspace: of, before: null, limit: max }),
    inFlight: inAnyOrder(await idempotency.inFlight(of)),
    usage: await ledger.usage(of, now),
    billing: await billing.read(of),
    lines: inAnyOrder(await billing.lines(of)),
    group: await stores.notifications.group(`webhooks ${of}`),
    preferences: await stores.notifications.preferences(of, users),
    clock: await stores.clocks.get(of),
    outcomes: inAnyOrder(await stores.reputation.outcomes(of, 0)),
    reputation: await stores.reputation.reputation(of),
    stats: await each(['live', 'test'] as const, async (mode) => [
      await stats.position({ workspace: of, mode }),
      await stats.bucketsIn({ workspace: of, mode }, days),
    ]),
    templates: await stores.templates.list(of, null, max),
    endpoints: inAnyOrder(await stores.endpoints.enabledOf(of)),
    openErasures: await stores.erasures.countOpen(of, max),
  }
}

const contents = async (stores: Stores, _: undefined, moment: Moment): Promise<unknown> => {
  const { accounts, billing, emails, domains, templates, endpoints, links, hashes } = stores
  return {
    of: await each(workspaces, (of) => contentsOf(stores, of, moment)),
    users: inAnyOrder(await accounts.users(users)),
    memberships: await each(users, (one) => accounts.memberships(one)),
    devices: await each(users, (one) => stores.notifications.deviceOf(one, 'a')),
    preferences: await stores.notifications.preferences('', users),
    sessions: await each(hashes, (hash) => accounts.session(hash)),
    links: await each(hashes, (hash) => each(linkPurposes, (purpose) => links.link(hash, purpose, 0))),
    emails: await each(stores.emailIds, async ({ id }) => {
      const found = await emails.get(id)
      return found && [found, await emails.content(id)]
    }),
    batches: await each(stores.batchIds, async ({ id }) => (await emails.batch(id))?.state ?? null),
    queue: inAnyOrder(await emails.queueCounts()),
    responses: await each(stores.keys, (key) => stores.idempotency.hasResponse(key, moment.now)),
    domains: await each(stores.domainIds, (one) => domains.get(one.workspace, one.id)),
    templates: await each(stores.templateIds, async (one) => [
      await templates.get(one.workspace, one.id, 0),
      await templates.listVersions(one.workspace, one.id, null, max),
      await templates.getByAlias(one.workspace, one.id, 1),
    ]),
    endpoints: await each(stores.endpointIds, async (one) => [
      await endpoints.get(one.workspace, one.id),
      await stores.replays.get(one.id, null),
    ]),
    deliveries: await each(stores.deliveryIds, (one) => stores.deliveries.get(one.endpoint, one.id)),
    erasures: await each(stores.erasureIds, (one) => stores.erasures.get(one.workspace, one.id)),
    invoices: await each(stores.invoiceIds, (one) => billing.invoice(one.id, null)),
    notices: await billing.notices(max),
    removed: inAnyOrder(await stores.erasure.removed(neverMs, max)),
    audit: await stores.audit.list({ ...noAuditFilter, workspace: null, limit: 1_000 }),
  }
}

const withIds = (
  stores: Omit<Stores, 'created' | 'keys' | 'hashes' | `${'email' | 'batch' | 'template' | 'domain'}Ids` | EndpointIds>,
): Stores => ({
  ...stores,
  created: new Set(),
  emailIds: [],
  batchIds: [],
  templateIds: [],
  domainIds: [],
  endpointIds: [],
  deliveryIds: [],
  erasureIds: [],
  invoiceIds: [],
  keys: [],
  hashes: [],
})
type EndpointIds = 'endpointIds' | 'deliveryIds' | 'erasureIds' | 'invoiceIds'

export const workspaceErasureDifferences: Comparison<Stores> = {
  name: 'removals of workspaces',
  sqlite: (db, moment) => {
    const allowances = sqliteAllowances(db)
    return withIds({
      accounts: sqliteAccounts(db),
      audit: sqliteAudit(db),
      billing: sqliteBilling(db, allowances),
      clocks: sqliteTestClocks(db),
      deliveries: sqliteWebhookDeliveries(db),
      domains: sqliteDomains(db),
      emails: sqliteEmails(db),
      endpoints: sqliteWebhookEndpoints(db),
      erasure: sqliteWorkspaceErasure(db, allowances),
      erasures: sqliteErasures(db),
      feed: sqliteEventFeed(db),
      idempotency: sqliteIdempotency(db),
      ledger: sqliteLedger(db, allowances),
      links: sqliteLinks(db),
      mailbox: sqliteMailbox(db),
      notifications: sqliteNotifications(db),
      replays: sqliteWebhookReplays(db),
      reputation: sqliteReputation(db),
      stats: sqliteStats(db),
      templates: sqliteTemplates(db),
      workspaceEvents: sqliteWorkspaceEvents(db, () => timeOf(moment)),
    })
  },
  mongo: (db, moment) =>
    withIds({
      accounts: mongoAccounts(db),
      audit: mongoAudit(db),
      billing: mongoBilling(db),
      clocks: mongoTestClocks(db),
      deliveries: mongoWebhookDeliveries(db),
      domains: mongoDomains(db),
      emails: mongoEmails(db),
      endpoints: mongoWebhookEndpoints(db),
      erasure: mongoWorkspaceErasure(db),
      erasures: mongoErasures(db),
      feed: mongoEventFeed(db),
      idempotency: mongoIdempotency(db),
      ledger: mongoLedger(db),
      links: mongoLinks(db),
      mailbox: mongoMailbox(db),
      notifications: mongoNotifications(db),
      replays: mongoWebhookReplays(db),
      reputation: mongoReputation(db),
      stats: mongoStats(db),
      templates: mongoTemplates(db),
      workspaceEvents: mongoWorkspaceEvents(db, () => timeOf(moment)),
    }),
  operations: { ...people, ...ofMail, ...ofSettings, ...ofWebhooks, ...ofCounts, ...ofBilling, ...ofErasure },
  waits: [1_000, hourMs],
  contents,
  maxOperations: 40,
}
