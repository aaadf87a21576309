import assert from 'node:assert/strict'
import type { PaymentRequest, Payments } from './payments.ts'

const request: PaymentRequest = {
  id: 'pay_1',
  workspace: 'ws_1',
  plan: 'pro',
  invoice: null,
  description: 'Pro plan',
  amountCents: 667,
  customer: null,
  email: '',
  returnUrl: 'https://mail.example.com/',
  now: Date.UTC(2026, 10, 21),
}

/** Declares the tests that every payment provider must pass. @param open returns a provider and whether it has pages */
export const paymentsConformance = (name: string, open: () => Promise<{ payments: Payments; hasPages: boolean }>) =>
  describe(`payments with ${name}`, () => {
    it('either begin with a page that works for a while, or are made outside of the service', async () => {
      const { payments, hasPages } = await open()
      const begun = await payments.begin(request)
      assert.equal(begun !== null, hasPages)
      assert.equal(payments.hasPages, hasPages)
      if (begun === null) return
      assert.ok(begun.until > request.now && begun.session !== '')
      assert.ok(URL.canParse(begun.url))
    })

    it('are the same payment when they are begun again with the same id', async () => {
      const { payments } = await open()
      const [one, other] = [await payments.begin(request), await payments.begin(request)]
      assert.equal(one?.session, other?.session)
    })

    it('can be ended several times, even if they do not exist', async () => {
      const { payments } = await open()
      const begun = await payments.begin(request)
      for (const session of [begun?.session ?? 'cs_none', begun?.session ?? 'cs_none', 'cs_none'])
        await payments.end(session)
    })

    it('are ended once they cannot be made any more', async () => {
      const { payments } = await open()
      const begun = await payments.begin(request)
      assert.equal(await payments.end(begun?.session ?? 'cs_none'), true)
      assert.equal(await payments.end(begun?.session ?? 'cs_none'), true)
    })

    it('charge an invoice to a saved card once, however often they are prepared, or not at all', async () => {
      const { payments, hasPages } = await open()
      const charge = {
        invoice: 'inv_1',
        workspace: 'ws_1',
        description: 'Invoice',
        amountCents: 667,
        customer: 'cus_1',
      }
      const [one, same] = [await payments.prepareCharge(charge), await payments.prepareCharge(charge)]
      assert.deepEqual([one, one !== null], [same, hasPages])
      const other = await payments.prepareCharge({ ...charge, invoice: 'inv_2' })
      assert.equal(other !== one, hasPages)
    })

    it('fail for a card that does not exist, however often they are tried', async () => {
      const { payments } = await open()
      const charge = {
        invoice: 'inv_3',
        workspace: 'ws_1',
        description: 'Invoice',
        amountCents: 667,
        customer: 'cus_none',
      }
      const payment = (await payments.prepareCharge(charge)) ?? 'pi_none'
      for (const id of ['inv_3/0', 'inv_3/0', 'inv_3/1'])
        assert.deepEqual(await payments.charge({ id, payment, customer: 'cus_none' }), {
          kind: 'failed',
          reason: 'no_payment_method',
        })
    })

    it('have a page for the customer, or none', async () => {
      const { payments, hasPages } = await open()
      const url = await payments.portal('cus_1', 'https://mail.example.com/')
      assert.equal(url !== null && URL.canParse(url), hasPages)
    })

    it('refuse an event without a valid signature', async () => {
      const { payments, hasPages } = await open()
      const code = hasPages ? 'malformed_request' : 'not_found'
      for (const signature of ['', 't=1,v1=00', 'nonsense'])
        await assert.rejects(payments.event(Buffer.from('{}'), signature, request.now), { code })
    })
  })
