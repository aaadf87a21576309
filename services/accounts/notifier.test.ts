import assert from 'node:assert/strict'
import type { SystemMessage } from '@postrider/domain/email/systemMessage.ts'
import { internalMode } from '@postrider/domain/events/event.ts'
import { mailLeaseMs } from '@postrider/domain/notifications/group.ts'
import type { Preferences } from '@postrider/domain/notifications/kinds.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { NotificationStore } from '@postrider/ports/notifications.ts'
import type { NewWorkspaceEvent } from '@postrider/ports/workspaceEvents.ts'
import { openNotifier } from './notifier.ts'
import { aColleague, hourMs, minuteMs, testRig } from './testRig.ts'

type Rig = ReturnType<typeof testRig>

const log = { info: () => {}, warn: () => {}, error: () => {} }

/** Accepts an email once for each idempotency key, as intake does. */
const intake = () => {
  const accepted = new Map<string, SystemMessage>()
  const send = async (message: SystemMessage): Promise<void> => {
    const known = accepted.get(message.idempotencyKey)
    if (known && known.text !== message.text) throw new Fault('idempotency_mismatch', 'another body')
    if (!known) accepted.set(message.idempotencyKey, message)
  }
  return { send, mails: () => [...accepted.values()] }
}

const opened = (rig: Rig, send: (message: SystemMessage) => Promise<void>, notifications: NotificationStore) =>
  openNotifier({
    notifications,
    accounts: rig.store,
    mail: { send },
    publicUrl: () => 'https://post.example',
    now: rig.now,
    log,
  })

let numbers = 0
const failed = (workspace: string, over: Partial<NewWorkspaceEvent> = {}): NewWorkspaceEvent => ({
  id: `evt_${String(++numbers).padStart(6, '0')}`,
  type: 'domain.failed',
  workspace,
  mode: 'live',
  data: {
    name: `shop${numbers}.example`,
    problems: [{ name: `k._domainkey.shop${numbers}.example`, problem: 'DNS has no record. Add it again.' }],
  },
  ...over,
})

const notified = async (over: { wrap?: (store: NotificationStore) => NotificationStore } = {}) => {
  const rig = testRig()
  const owner = await rig.owner()
  const receiver = intake()
  const store = over.wrap?.(rig.notifications) ?? rig.notifications
  const notifier = opened(rig, receiver.send, store)
  return { rig, owner, receiver, notifier }
}

describe('notifications', () => {
  it('are mailed immediately to the members who want them, with a reason and a way to switch them off', async () => {
    const { rig, owner, receiver, notifier } = await notified()
    await using _ = notifier
    await aColleague(rig, owner, 'admin', 'carl@example.com')
    await aColleague(rig, owner, 'member', 'dora@example.com')
    await rig.notifications.insert([failed(owner.workspace)])
    assert.equal(await notifier.notifyDue(), 2)
    const [mail, other] = receiver.mails()
    assert.deepEqual([mail?.to, other?.to].toSorted(), ['ada@example.com', 'carl@example.com'])
    assert.match(mail?.subject ?? '', /^The domain shop\d+\.example has failed \(Acme\)$/)
    for (const body of [mail?.text ?? '', mail?.html ?? '']) {
      assert.match(body, /DNS has no record/)
      assert.match(body, /You get this mail as owner of the workspace “Acme”/)
      assert.match(body, /PATCH https:\/\/post\.example\/api\/v1\/account\/notifications/)
    }
    assert.equal(await notifier.notifyDue(), 0)
  })

  it('follow the choice of each member in each workspace', async () => {
    const { rig, owner, receiver, notifier } = await notified()
    await using _ = notifier
    const viewer = await aColleague(rig, owner, 'viewer', 'vera@example.com')
    const choose = (token: string, kinds: Preferences) =>
      rig.service.SetNotifications({ token, kinds, client_address: '' })
    await choose(owner.token, { domains: false })
    await choose(viewer.token, { domains: true })
    await rig.notifications.insert([failed(owner.workspace)])
    await notifier.notifyDue()
    assert.deepEqual(
      receiver.mails().map(({ to }) => to),
      ['vera@example.com'],
    )
  })

  it('are one email and one digest for a storm of 1,000 events', async () => {
    const { rig, owner, receiver, notifier } = await notified()
    await using _ = notifier
    const storm = Array.from({ length: 1_000 }, () => failed(owner.workspace))
    await rig.notifications.insert(storm.slice(0, 1))
    await notifier.notifyDue()
    for (let from = 1; from < 1_000; from += 111) {
      await rig.notifications.insert(storm.slice(from, from + 111))
      rig.advance(minuteMs)
      await notifier.notifyDue()
    }
    assert.equal(receiver.mails().length, 1)
    rig.advance(hourMs)
    await notifier.notifyDue()
    const [, digest, ...others] = receiver.mails()
    assert.deepEqual(others, [])
    assert.equal(digest?.subject, '999 notifications about sending domains (Acme)')
    assert.equal(digest?.text.match(/DNS has no record|has been missing or wrong for 24 hours/g)?.length, 20)
    assert.match(digest?.text ?? '', /989 more events of this kind are not shown/)
    rig.advance(2 * hourMs)
    await notifier.notifyDue()
    assert.equal(receiver.mails().length, 2)
  })

  it('are grouped by workspace and kind', async () => {
    const { rig, owner, receiver, notifier } = await notified()
    await using _ = notifier
    const other = await rig.owner('bob@example.com')
    const quota = {
      period: 'daily',
      limit: 100,
      used: 80,
      resets_at: '2026-11-22T00:00:00.000Z',
      threshold_percent: 80,
    }
    await rig.notifications.insert([
      failed(owner.workspace),
      failed(other.workspace),
      failed(owner.workspace, { type: 'quota.warning', data: quota }),
      failed(owner.workspace, { type: 'domain.verified' }),
    ])
    await notifier.notifyDue()
    assert.deepEqual(
      receiver.mails().map(({ to, subject }) => `${to}: ${subject.replace(/shop\d+/, 'shop')}`),
      [
        'ada@example.com: The domain shop.example has failed (Acme)',
        'bob@example.com: The domain shop.example has failed (Acme)',
        'ada@example.com: 80 % of the daily quota is used (Acme)',
      ],
    )
    assert.match(
      receiver.mails().at(-1)?.text ?? '',
      /80 of 100 sends are used\. The quota resets at 2026-11-22 00:00 UTC/,
    )
  })

  it('name no path of an endpoint, because its address may lead anywhere', async () => {
    const { rig, owner, receiver, notifier } = await notified()
    await using _ = notifier
    const data = { webhook_id: 'wh_1', url: 'https://hooks.example/login-here', reason: 'gone' }
    await rig.notifications.insert([
      failed(owner.workspace, { type: 'webhook.disabled', data }),
      failed(owner.workspace, { type: 'webhook.failing', mode: internalMode, data }),
    ])
    await notifier.notifyDue()
    const [mail] = receiver.mails()
    assert.equal(mail?.subject, '2 notifications about webhook endpoints (Acme)')
    assert.match(mail?.text ?? '', /wh_1 on hooks\.example was disabled: it returned 410 Gone/)
    assert.doesNotMatch(mail?.text ?? '', /login-here/)
    // Regression: the emails did not name what a reader can do.
    assert.match(
      mail?.text ?? '',
      /PATCH \/api\/v1\/webhooks\/wh_1 \{"enabled": true\}\. .*POST \/api\/v1\/webhooks\/wh_1\/replay/,
    )
    assert.match(mail?.text ?? '', /GET \/api\/v1\/webhooks\/wh_1\/deliveries\?status=failed shows why/)
  })

  for (const [period, further] of [
    ['daily', 'further sends are refused.'],
    ['monthly', 'further sends are refused, or charged as overage if the plan has it.'],
  ] as const)
    it(`report what happens to sends when the ${period} quota is used up`, async () => {
      const { rig, owner, receiver, notifier } = await notified()
      await using _ = notifier
      const data = { period, limit: 5, used: 5, resets_at: '2026-11-22T00:00:00.000Z', threshold_percent: 100 }
      await rig.notifications.insert([failed(owner.workspace, { type: 'quota.exhausted', data })])
      await notifier.notifyDue()
      assert.ok(
        receiver
          .mails()[0]
          ?.text?.includes(`5 of 5 sends are used. The quota resets at 2026-11-22 00:00 UTC. Until then, ${further}`),
      )
    })

  it('are not mailed to disabled users, or to members who left', async () => {
    const { rig, owner, receiver, notifier } = await notified()
    await using _ = notifier
    const second = await aColleague(rig, owner, 'owner', 'bob@example.com')
    const third = await aColleague(rig, owner, 'owner', 'carl@example.com')
    await rig.service.SetUserControls({ id: second.user, disabled: true, reason: 'abuse', client_address: '' })
    await rig.service.RemoveMember({ workspace: owner.workspace, user: owner.user, member: third.user })
    await rig.notifications.insert([failed(owner.workspace)])
    await notifier.notifyDue()
    assert.deepEqual(
      receiver.mails().map(({ to }) => to),
      ['ada@example.com'],
    )
  })

  it('are repeated with the same key after intake was unavailable, and no event is lost', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    const receiver = intake()
    let isDown = true
    const send = async (message: SystemMessage): Promise<void> => {
      // The mail is accepted, and the response is lost.
      await receiver.send(message)
      if (isDown) throw new Fault('unavailable', 'down')
    }
    await using notifier = opened(rig, send, rig.notifications)
    await rig.notifications.insert([failed(owner.workspace)])
    await assert.rejects(notifier.notifyDue(), { code: 'unavailable' })
    await rig.notifications.insert([failed(owner.workspace)])
    isDown = false
    await notifier.notifyDue()
    rig.advance(mailLeaseMs)
    await notifier.notifyDue()
    assert.equal(receiver.mails().length, 1)
    rig.advance(hourMs)
    await notifier.notifyDue()
    assert.equal(receiver.mails().length, 2)
  })

  it('are sent once by several concurrent processes', async () => {
    const { rig, owner, receiver, notifier } = await notified()
    await using _ = notifier
    await using second = opened(rig, receiver.send, rig.notifications)
    await rig.notifications.insert(Array.from({ length: 250 }, () => failed(owner.workspace)))
    await Promise.all([notifier.notifyDue(), second.notifyDue()])
    rig.advance(hourMs + minuteMs)
    await Promise.all([notifier.notifyDue(), second.notifyDue()])
    const counts = receiver.mails().map(({ subject }) => Number.parseInt(subject, 10))
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      250,
    )
  })

  it('are neither lost nor sent twice if a process dies before or after any write', async () => {
    for (const isBefore of [true, false]) {
      for (let n = 1, hasDied = true; hasDied; n += 1) {
        const rig = testRig()
        const owner = await rig.owner()
        const receiver = intake()
        let writes = 0
        const died = () => new Fault('unavailable', 'the process died')
        const dying = async <T>(write: () => Promise<T>): Promise<T> => {
          writes += 1
          if (writes > n || (writes === n && isBefore)) throw died()
          const written = await write()
          if (writes === n) throw died()
          return written
        }
        const store: NotificationStore = {
          ...rig.notifications,
          markNoticed: (ids) => dying(() => rig.notifications.markNoticed(ids)),
          writeGroup: (...given) => dying(() => rig.notifications.writeGroup(...given)),
        }
        await rig.notifications.insert([failed(owner.workspace), failed(owner.workspace)])
        {
          await using first = opened(rig, (message) => dying(() => receiver.send(message)), store)
          await first.notifyDue().catch(() => {})
        }
        hasDied = writes >= n
        await using second = opened(rig, receiver.send, rig.notifications)
        for (const wait of [0, mailLeaseMs, 2 * hourMs]) {
          rig.advance(wait)
          await second.notifyDue()
        }
        const subjects = receiver.mails().map(({ subject }) => subject)
        const context = `death ${isBefore ? 'before' : 'after'} write ${n}`
        assert.deepEqual(subjects, ['2 notifications about sending domains (Acme)'], context)
      }
    }
  })

  it('notifications of a removed workspace are removed', async () => {
    const { rig, receiver, notifier } = await notified()
    await using _ = notifier
    await rig.notifications.insert([failed('ws_removed')])
    assert.equal(await notifier.notifyDue(), 0)
    assert.deepEqual(receiver.mails(), [])
    rig.advance(50 * hourMs)
    await notifier.notifyDue()
    assert.equal(await rig.notifications.group('domains ws_removed'), null)
  })
})

describe('logins on new devices', () => {
  const logInFrom = (rig: Rig, clientAddress: string, userAgent = 'curl/8.5.0') =>
    rig.service.LogIn({
      email: 'ada@example.com',
      password: rig.password,
      client_address: clientAddress,
      user_agent: userAgent,
    })

  it('are mailed to the person for a new device, and not for a known device', async () => {
    const { rig, receiver, notifier } = await notified()
    await using _ = notifier
    await logInFrom(rig, '203.0.113.9', '')
    await notifier.notifyDue()
    assert.deepEqual(receiver.mails(), [], 'the device of the sign-up is known')
    await logInFrom(rig, '198.51.100.7')
    await logInFrom(rig, '198.51.100.7')
    await notifier.notifyDue()
    const [mail, ...others] = receiver.mails()
    assert.deepEqual(others, [])
    assert.deepEqual([mail?.to, mail?.subject], ['ada@example.com', 'New login to your account'])
    assert.match(mail?.text ?? '', /on curl from the address 198\.51\.100\.7 at 2026-11-21 12:00 UTC/)
    assert.match(mail?.text ?? '', /because it is your account/)
    await logInFrom(rig, '198.51.100.7', 'python-requests/2.32')
    rig.advance(hourMs)
    await notifier.notifyDue()
    assert.equal(receiver.mails().length, 2)
  })

  it('are not mailed to a person who switched these emails off, in any workspace', async () => {
    const { rig, owner, receiver, notifier } = await notified()
    await using _ = notifier
    const changed = await rig.service.SetNotifications({
      token: owner.token,
      kinds: { sign_in: false },
      client_address: '',
    })
    assert.equal(changed.kinds['sign_in'], false)
    await logInFrom(rig, '198.51.100.7')
    await notifier.notifyDue()
    assert.deepEqual(receiver.mails(), [])
  })
})

describe('preferences', () => {
  it('have the defaults of the role until a member chooses', async () => {
    const { rig, owner, notifier } = await notified()
    await using _ = notifier
    const member = await aColleague(rig, owner, 'member', 'dora@example.com')
    const all = { quota: true, domains: true, webhooks: true, reputation: true, sign_in: true }
    const none = { quota: false, domains: false, webhooks: false, reputation: false, sign_in: true }
    assert.deepEqual(await rig.service.GetNotifications({ token: owner.token }), {
      workspace: owner.workspace,
      kinds: all,
    })
    assert.deepEqual((await rig.service.GetNotifications({ token: member.token })).kinds, none)
    const change = { token: member.token, kinds: { quota: true, sign_in: false }, client_address: '198.51.100.7' }
    const changed = await rig.service.SetNotifications(change)
    assert.deepEqual(changed.kinds, { ...none, quota: true, sign_in: false })
    assert.deepEqual((await rig.service.GetNotifications({ token: member.token })).kinds, changed.kinds)
    assert.deepEqual((await rig.service.GetNotifications({ token: owner.token })).kinds, all)
    await rig.service.SetNotifications(change)
    await rig.service.SetNotifications({ ...change, kinds: {} })
    const [entry, ...others] = rig.notifications.entries
    assert.deepEqual(others, [], 'a request that changes nothing leaves no line')
    const { id, at, ...shown } = entry ?? assert.fail()
    assert.match(`${id} ${at}`, /^aud_\w+ \d+$/)
    assert.deepEqual(shown, {
      workspace: owner.workspace,
      actor: member.user,
      clientAddress: '198.51.100.7',
      action: 'user.update_notifications',
      target: member.user,
      before: {},
      after: { quota: true, sign_in: false },
    })
  })
})
