import assert from 'node:assert/strict'
import { offlinePayments } from '@postrider/adapters/payments.ts'
import { sqliteBilling } from '@postrider/adapters/sqlite/billing/billing.ts'
import type { SqliteDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { sqliteAllowances } from '@postrider/adapters/sqlite/ledger/allowances.ts'
import { sqliteLedger } from '@postrider/adapters/sqlite/ledger/ledger.ts'
import { stripePayments } from '@postrider/adapters/stripe/payments.ts'
import { usdText } from '@postrider/domain/billing/money.ts'
import { paymentsConformance } from '@postrider/ports/payments.conformance.ts'
import { billingRig } from '../support/billingRig.ts'
import { type StripeServer, signed, startStripeServer, stripeSecrets } from '../support/stripeServer.ts'
import { sqliteForTests } from './sqlite.ts'

const start = Date.UTC(2026, 10, 16, 12)

const upgrades = (stripe: () => StripeServer): void => {
  const openFile = sqliteForTests()
  const workspace = 'ws_1'
  const rig = () => {
    const { db } = openFile()
    const allowances = sqliteAllowances(db)
    const stores = { billing: sqliteBilling(db, allowances), ledger: sqliteLedger(db, allowances) }
    const payments = stripePayments({ ...stripeSecrets, api: stripe().url })
    const opened = billingRig(stores, { start, payments })
    const take = ({ body, signature }: { body: Buffer; signature: string }) =>
      opened.quota.TakePaymentEvent({ body, signature })
    const newest = (): string => [...stripe().sessions.keys()].at(-1) ?? ''
    const paid = { status: 'complete', payment_status: 'paid', customer: 'cus_1' }
    return {
      ...opened,
      stores,
      take,
      newest,
      /** Returns an event that reports a payment. */
      paidEvent: (session = newest(), type = 'checkout.session.completed') =>
        stripe().event(type, session, paid, opened.clock.at),
      plan: async () => (await opened.quota.GetPlan({ workspace })).plan,
      shown: async () =>
        (await opened.invoices(workspace)).map(({ status, total_cents }) => `${status} ${usdText(total_cents)}`),
      credit: async () => {
        const { account } = await stores.billing.read(workspace)
        return (account?.unbilled ?? []).map(({ amountCents }) => amountCents)
      },
    }
  }

  it('begin when they are paid, with a paid invoice, however often and in any order events come', async () => {
    const { choose, take, paidEvent, plan, shown, newest, credit } = rig()
    const state = await choose(workspace, 'pro')
    assert.deepEqual([state.plan, state.checkout_url], ['free', `https://checkout.stripe.test/${newest()}`])
    const sent = stripe().requests[0]
    assert.equal(sent?.fields['line_items[0][price_data][unit_amount]'], '1000')
    assert.equal(sent?.fields['mode'], 'payment')
    const session = newest()
    const [first, second] = [paidEvent(session), paidEvent(session, 'checkout.session.async_payment_succeeded')]
    const expired = stripe().event('checkout.session.expired', session, { status: 'expired' }, start)
    for (const event of [second, first, first, expired, second, first]) await take(event)
    assert.deepEqual([await plan(), await shown(), await credit()], ['pro', ['paid 10.00'], []])
  })

  it('show the page of the first request to a repeated one, and a new one on another day', async () => {
    const { choose, clock } = rig()
    const first = await choose(workspace, 'pro')
    assert.equal((await choose(workspace, 'pro')).checkout_url, first.checkout_url)
    clock.at += 86_400_000
    assert.notEqual((await choose(workspace, 'pro')).checkout_url, first.checkout_url)
    assert.ok(stripe().requests.some(({ path }) => path.endsWith('/expire')))
  })

  it('begin once if an abandoned page and its successor are both paid; the second payment is a credit', async () => {
    const { choose, take, paidEvent, clock, newest, plan, shown, credit } = rig()
    await choose(workspace, 'pro')
    const abandoned = newest()
    clock.at += 86_400_000
    await choose(workspace, 'pro')
    const [late, current] = [paidEvent(abandoned), paidEvent(newest())]
    await take(current)
    await take(late)
    await take(late)
    assert.deepEqual([await plan(), await shown(), await credit()], ['pro', ['paid 9.33'], [-1_000]])
  })

  it('charge the next month if they are paid in it, and credit the payment', async () => {
    const { choose, take, paidEvent, clock, plan, shown, credit } = rig()
    await choose(workspace, 'pro')
    clock.at = Date.UTC(2026, 11, 1)
    await take(paidEvent())
    assert.deepEqual([await plan(), await shown(), await credit()], ['pro', ['open 20.00'], [-1_000]])
  })

  it('do not begin when the payment expires', async () => {
    const { choose, take, newest, plan, shown } = rig()
    await choose(workspace, 'pro')
    await take(stripe().event('checkout.session.expired', newest(), { status: 'expired' }, start))
    assert.deepEqual([await plan(), await shown()], ['free', []])
    await choose(workspace, 'pro')
    assert.equal(stripe().sessions.size, 2)
  })

  it('need no payment for a downgrade or its revocation', async () => {
    const { choose, take, paidEvent } = rig()
    await choose(workspace, 'pro')
    await take(paidEvent())
    assert.equal((await choose(workspace, 'free')).pending_plan, 'free')
    const revoked = await choose(workspace, 'pro')
    assert.deepEqual([revoked.plan, revoked.pending_plan, revoked.checkout_url], ['pro', undefined, undefined])
  })

  it('let an open invoice be paid once; a second payment is a credit', async () => {
    const { quota, choose, take, paidEvent, invoices, clock, close, newest, shown, credit } = rig()
    await choose(workspace, 'pro')
    await take(paidEvent())
    clock.at = Date.UTC(2026, 11, 1, 1)
    await close()
    const [, open] = await invoices(workspace)
    assert.deepEqual([open?.status, open?.total_cents], ['open', 2_000])
    const pay = () => quota.PayInvoice({ workspace, id: open?.id ?? '', email: '', return_url: 'https://a.example/' })
    const { url } = await pay()
    assert.equal((await pay()).url, url)
    const one = newest()
    // Another page is begun when the first one ends.
    clock.at += 23 * 3_600_000
    assert.notEqual((await pay()).url, url)
    for (const event of [paidEvent(one), paidEvent(one), paidEvent(newest())]) await take(event)
    assert.deepEqual([await shown(), await credit()], [['paid 10.00', 'paid 20.00'], [-2_000]])
    await assert.rejects(pay(), { code: 'conflict' })
    const portal = await quota.OpenPortal({ workspace, return_url: 'https://a.example/' })
    assert.equal(portal.url, 'https://portal.stripe.test/cus_1')
  })

  it('are not begun by events that are forged, old, changed or of another product', async () => {
    const { choose, take, paidEvent, newest, plan, clock } = rig()
    await choose(workspace, 'pro')
    const event = paidEvent()
    const refused = (one: { body: Buffer; signature: string }) =>
      assert.rejects(take(one), { code: 'malformed_request' })
    await refused(signed(event.body.toString(), start, 'whsec_of_another_account'))
    await refused({ ...event, body: Buffer.from(event.body.toString().replace('ws_1', 'ws_2')) })
    await refused({ ...event, signature: '' })
    await refused(signed('not json', start))
    clock.at += 301_000
    await refused(event)
    await take(stripe().event('invoice.paid', newest(), {}, clock.at))
    await take(
      stripe().event('checkout.session.completed', newest(), { payment_status: 'paid', metadata: {} }, clock.at),
    )
    assert.equal(await plan(), 'free')
  })

  it('are a conflict where Stripe refuses them, without its words, and begin when it accepts them', async () => {
    const { choose, quota, take, paidEvent, plan, invoices, clock, close } = rig()
    const assertRefused = async (work: Promise<unknown>) => {
      const thrown = await work.catch((reason: unknown) => reason)
      assert.equal(Reflect.get(thrown as object, 'code'), 'conflict')
      assert.doesNotMatch(JSON.stringify(thrown, Object.getOwnPropertyNames(thrown)), /sk_test|No such/)
    }
    stripe().failures.push(400)
    await assertRefused(choose(workspace, 'pro'))
    assert.equal(await plan(), 'free')
    await choose(workspace, 'pro')
    await take(paidEvent())
    clock.at = Date.UTC(2026, 11, 1, 1)
    await close()
    const id = (await invoices(workspace)).find(({ status }) => status === 'open')?.id ?? ''
    // The page that the close began has ended.
    clock.at += 23 * 3_600_000
    for (const call of [
      () => quota.PayInvoice({ workspace, id, email: '', return_url: 'https://a.example/' }),
      () => quota.OpenPortal({ workspace, return_url: 'https://a.example/' }),
    ]) {
      stripe().failures.push(404)
      await assertRefused(call())
    }
    assert.equal(await plan(), 'pro')
  })

  it('fail with 503 while Stripe fails, without the key in the error', async () => {
    const { choose, plan, shown } = rig()
    stripe().failures.push(500, 500, 500, 500)
    const thrown = await choose(workspace, 'pro').catch((reason: unknown) => reason)
    assert.equal(Reflect.get(thrown as object, 'code'), 'unavailable')
    assert.doesNotMatch(JSON.stringify(thrown, Object.getOwnPropertyNames(thrown)), /sk_test/)
    assert.deepEqual([await plan(), await shown()], ['free', []])
  })
}

const dayMs = 86_400_000

/** Workspaces on Pro since 16 November, whose customer paid the first invoice with a card. */
const collections = (stripe: () => StripeServer): void => {
  const openFile = sqliteForTests()
  const december = Date.UTC(2026, 11, 1, 1)
  type RigOptions = { crash?: () => void; db?: SqliteDatabase; workspace?: string }
  const rig = async ({ crash = () => {}, db = openFile().db, workspace = 'ws_1' }: RigOptions = {}) => {
    const allowances = sqliteAllowances(db)
    const stores = { billing: sqliteBilling(db, allowances), ledger: sqliteLedger(db, allowances) }
    const state = { isCrashing: false }
    const payments = stripePayments({ ...stripeSecrets, api: stripe().url })
    /** A process that dies before or after each of these calls. */
    const dying = <Store extends object>(store: Store): Store =>
      new Proxy(store, {
        get:
          (target, name) =>
          async (...args: unknown[]) => {
            if (state.isCrashing) crash()
            const result = await (Reflect.get(target, name) as (...args: unknown[]) => unknown)(...args)
            if (state.isCrashing) crash()
            return result
          },
      })
    const opened = billingRig(
      { billing: dying(stores.billing), ledger: stores.ledger },
      { start, payments: dying(payments) },
    )
    const { clock, quota, choose, close, invoices } = opened
    const take = (event: { body: Buffer; signature: string }) => quota.TakePaymentEvent(event)
    await choose(workspace, 'pro')
    const first = [...stripe().sessions.keys()].at(-1) ?? ''
    const paid = { status: 'complete', payment_status: 'paid', customer: 'cus_1' }
    await take(stripe().event('checkout.session.completed', first, paid, clock.at))
    return {
      ...opened,
      stores,
      state,
      take,
      paidPage: (session: string) => stripe().event('checkout.session.completed', session, paid, clock.at),
      pages: () => [...stripe().sessions.values()].filter((one) => one['metadata[invoice]'] !== ''),
      closeAt: async (at: number) => {
        clock.at = at
        await close()
      },
      pay: async (id: string) => quota.PayInvoice({ workspace, id, email: '', return_url: 'https://a.example/' }),
      open: async () => (await invoices(workspace)).find(({ status }) => status === 'open')?.id ?? '',
      shown: async () =>
        (await invoices(workspace)).map(({ status, total_cents }) => `${status} ${usdText(total_cents)}`),
      notices: async () => {
        const all = await stores.billing.notices(100)
        return all.filter((one) => one.workspace === workspace).map(({ reason, nextAt }) => [reason, nextAt])
      },
      credit: async () =>
        ((await stores.billing.read(workspace)).account?.unbilled ?? []).map(({ amountCents }) => amountCents),
      collections: async () => (await stores.billing.read(workspace)).account?.collections ?? [],
    }
  }
  const succeeded = () => [...stripe().intents.values()].filter(({ status }) => status === 'succeeded')

  it('are paid without their owner at the month’s close, once, however often the close and the events are repeated', async () => {
    const { closeAt, take, shown, notices, credit, clock } = await rig()
    const saved = stripe().requests[0]?.fields['payment_intent_data[setup_future_usage]']
    assert.equal(saved, 'off_session')
    stripe().cards.set('cus_1', ['pm_new', 'pm_old'])
    await closeAt(december)
    await closeAt(december + 1)
    const [intent] = succeeded()
    const event = stripe().intentEvent('payment_intent.succeeded', intent?.id ?? '', clock.at)
    for (const one of [event, event, stripe().intentEvent('payment_intent.succeeded', intent?.id ?? '', clock.at)])
      await take(one)
    assert.deepEqual([await shown(), await notices(), await credit()], [['paid 10.00', 'paid 20.00'], [], []])
    assert.deepEqual(
      stripe()
        .requests.filter(({ path }) => path.endsWith('/confirm'))
        .map(({ fields }) => fields),
      [{ payment_method: 'pm_new', off_session: 'true' }],
    )
    assert.equal(intent?.['amount'], '2000')
  })

  it('have the id of the invoice as idempotency key, and one payment for all tries', async () => {
    const { closeAt, open } = await rig()
    stripe().cards.set('cus_1', ['pm_1'])
    stripe().charges.push('card_declined')
    await closeAt(december)
    const id = await open()
    await closeAt(december + dayMs)
    const keys = stripe().requests.filter(({ path }) => path.startsWith('/v1/payment_intents') && path !== '')
    const posted = keys.filter(({ idempotencyKey }) => idempotencyKey.startsWith('in_'))
    assert.deepEqual(
      posted.map(({ idempotencyKey }) => idempotencyKey),
      [id, `${id}/0`, `${id}/1`],
    )
    assert.equal(stripe().intents.size, 1)
  })

  it('stay open with a page and a notice when they fail, and are tried again on three more days, no longer', async () => {
    const { closeAt, shown, notices, pages, pay, open, collections, stores } = await rig()
    stripe().cards.set('cus_1', ['pm_1'])
    stripe().charges.push('card_declined', 'authentication_required', 'expired_card', 'card_declined', 'card_declined')
    await closeAt(december)
    const [notice] = await stores.billing.notices(1)
    assert.deepEqual([notice?.number, notice?.amountCents], ['PR-000002', 2_000])
    assert.equal((await pay(await open())).url, notice?.page?.url)
    for (let days = 0; days < 30; days += 0.5) await closeAt(december + days * dayMs)
    assert.deepEqual([await shown(), stripe().charges.length], [['paid 10.00', 'open 20.00'], 1])
    assert.deepEqual(await notices(), [
      ['declined', december + dayMs],
      ['authentication', december + 2 * dayMs],
      ['declined', december + 3 * dayMs],
      ['declined', null],
    ])
    // Each page but the last one was ended before the card was charged.
    assert.deepEqual(
      pages().map((one) => one['status'] ?? 'open'),
      ['expired', 'expired', 'expired', 'open'],
    )
    assert.equal((await collections())[0]?.failures, 4)
  })

  it('are paid on the page instead, and then not charged', async () => {
    const { closeAt, take, paidPage, pages, shown, credit, collections } = await rig()
    stripe().cards.set('cus_1', ['pm_1'])
    stripe().charges.push('card_declined')
    await closeAt(december)
    const [page] = pages()
    paidPage(page?.id ?? '')
    // The event is late: the next try finds that the page was paid.
    await closeAt(december + dayMs)
    assert.equal(succeeded().length, 0)
    await take(paidPage(page?.id ?? ''))
    await closeAt(december + 2 * dayMs)
    assert.deepEqual([await shown(), await credit(), await collections()], [['paid 10.00', 'paid 20.00'], [], []])
    assert.equal(succeeded().length, 0)
  })

  it('wait for a payment that takes days, during which no page begins', async () => {
    const { closeAt, take, shown, open, pay, clock } = await rig()
    stripe().cards.set('cus_1', ['pm_1'])
    stripe().charges.push('processing')
    await closeAt(december)
    await assert.rejects(pay(await open()), { code: 'conflict' })
    await closeAt(december + dayMs)
    const [intent] = stripe().intents.values()
    assert(intent)
    intent.status = 'succeeded'
    await take(stripe().intentEvent('payment_intent.succeeded', intent.id, clock.at))
    assert.deepEqual(await shown(), ['paid 10.00', 'paid 20.00'])
  })

  it('are not charged when the operator marked them, and require a card when none is saved', async () => {
    const { closeAt, open, quota, shown, notices, pages } = await rig()
    await closeAt(december)
    assert.deepEqual(await notices(), [['no_payment_method', december + dayMs]])
    stripe().cards.set('cus_1', ['pm_1'])
    await quota.SetInvoiceStatus({ id: await open(), status: 'paid', reason: 'transfer', client_address: '' })
    await closeAt(december + dayMs)
    assert.deepEqual([await shown(), succeeded().length], [['paid 10.00', 'paid 20.00'], 0])
    assert.equal(pages()[0]?.['status'], 'expired')
  })

  it('are charged when Stripe responds again, and no month waits for it', async () => {
    const { closeAt, shown, notices } = await rig()
    stripe().cards.set('cus_1', ['pm_1'])
    stripe().failures.push(...Array.from({ length: 8 }, () => 500))
    await closeAt(december)
    assert.deepEqual([await shown(), await notices()], [['paid 10.00', 'open 20.00'], []])
    stripe().failures.length = 0
    await closeAt(december + 15_000)
    assert.deepEqual(await shown(), ['paid 10.00', 'paid 20.00'])
  })

  for (const results of [[], ['card_declined']])
    it(`are ${results.length === 0 ? 'paid' : 'refused'} once after a crash at any step`, async () => {
      const { db } = openFile()
      for (let step = 0; ; step += 1) {
        stripe().intents.clear()
        stripe().sessions.clear()
        let left = step
        const crash = () => {
          if (left === 0) throw new Error('the process died')
          left -= 1
        }
        const { closeAt, state, shown, notices, credit } = await rig({ crash, db, workspace: `ws_${step}` })
        stripe().cards.set('cus_1', ['pm_1'])
        stripe().charges.splice(0, 10, ...results)
        state.isCrashing = true
        await closeAt(december).catch(() => {})
        const isDone = left > 0
        if (isDone) assert.ok(step > 30, `only ${step} steps`)
        state.isCrashing = false
        // The lease of the dead process ends first.
        await closeAt(december + 61_000)
        await closeAt(december + 62_000)
        const isPaid = results.length === 0
        assert.deepEqual(await shown(), ['paid 10.00', isPaid ? 'paid 20.00' : 'open 20.00'], `step ${step}`)
        assert.deepEqual([succeeded().length, (await notices()).length], isPaid ? [1, 0] : [0, 1], `step ${step}`)
        assert.deepEqual(await credit(), [])
        if (isDone) return
      }
    })
}

describe('payment providers', () => {
  let stripe: StripeServer
  beforeEach(async () => {
    stripe = await startStripeServer()
  })
  afterEach(() => stripe[Symbol.asyncDispose]())

  paymentsConformance('no provider', async () => ({ payments: offlinePayments(), hasPages: false }))
  paymentsConformance('Stripe', async () => ({
    payments: stripePayments({ ...stripeSecrets, api: stripe.url }),
    hasPages: true,
  }))

  describe('upgrades that are paid with Stripe', () => upgrades(() => stripe))
  describe('invoices that are charged to a saved card', () => collections(() => stripe))
})
