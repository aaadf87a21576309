import assert from 'node:assert/strict'
import { assertAccessible, isDrawn, useBrowser, useDashboard } from '../support/browser.ts'
import { type Caller, freshDomain, type Tenant } from '../support/client.ts'
import { asZone } from '../support/domains.ts'
import type { DomainRecord, ListRecord } from '../support/records.ts'
import { skip } from '../support/skip.ts'
import { useSystem } from '../support/suite.ts'

describe('domains in the dashboard', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  let tenant: Tenant

  const dns = () => system().dns ?? assert.fail('the suite has no DNS server')
  const add = async (api: Caller, name = freshDomain()): Promise<DomainRecord> => {
    dns().zones[name] ??= { names: {} }
    const { status, text, body } = await api.call<DomainRecord>({ path: '/api/v1/domains', json: { name } })
    assert.equal(status, 201, text)
    return body
  }

  before(async function needDns() {
    if (system().dns === null) skip(this, 'the DNS of the service under test cannot be edited')
    tenant = await system().client.tenant()
  })

  it('lead a person from the first domain to a verified one, and delete it by its name', async () => {
    const name = freshDomain()
    dns().zones[name] = { names: {} }
    // The page may read the domain again while it is being deleted.
    const expected = /status of 404 .*\/api\/v1\/domains\/dom_\w+$/
    await open({ url: system().client.url, session: tenant.session, expected }, async ({ page }) => {
      await page.goto('/domains')
      await page.getByRole('button', { name: 'Add your domain' }).click()
      // People also paste an address.
      await page.getByRole('textbox', { name: 'Domain' }).fill(`Jane@${name}`)
      await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.getByText('0 of 2 required records found').waitFor()

      const { body } = await tenant.session.call<ListRecord<DomainRecord>>({ path: '/api/v1/domains' })
      const domain = body.data.find((one) => one.name === name) ?? assert.fail('the domain was not added')
      for (const record of domain.records) await page.getByText(record.value, { exact: true }).first().waitFor()
      const [ownership, ...others] = domain.records
      assert.ok(ownership)
      // The most common mistake: the quotes are part of the value.
      dns().zones[name] = { names: asZone([{ ...ownership, value: `"${ownership.value}"` }, ...others]) }
      await page.getByRole('button', { name: 'Check now' }).click()
      await page.getByText('contains quotation marks').waitFor()

      dns().zones[name] = { names: asZone(domain.records) }
      await page.getByRole('button', { name: 'Check now' }).click()
      await page.getByRole('heading', { name: 'All required records were found' }).waitFor()
      await page.getByText('Verified', { exact: true }).first().waitFor()

      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Replace the DKIM key…' }).click()
      await page.getByRole('button', { name: 'Replace the DKIM key' }).click()
      await page.getByRole('heading', { name: 'Replacement of the DKIM key' }).waitFor()

      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete domain…' }).click()
      const confirm = page.getByRole('button', { name: 'Delete domain', exact: true })
      assert.ok(await confirm.isDisabled(), 'the name is not typed yet')
      await page.getByRole('dialog').getByRole('textbox').fill(name)
      await confirm.click()
      await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor()
      await page.getByText('No domain yet').waitFor()
    })
  })

  it('show a deleted one until the list is loaded', async () => {
    const { id, name } = await add(tenant.session)
    // It is read again in the meantime.
    const expected = new RegExp(`status of 404 .*/api/v1/domains/${id}$`)
    await open({ url: system().client.url, session: tenant.session, expected }, async ({ page }) => {
      await page.clock.install()
      const paused = Promise.withResolvers<void>()
      await page.route(/\/assets\/DomainsScreen/, async (route) => {
        await paused.promise
        await route.continue()
      })
      await page.goto(`/domains/${id}`)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete domain…' }).click()
      await page.getByRole('dialog').getByRole('textbox').fill(name)
      const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE')
      // An event of the service may make the page read it before the clock does. The page drops that read if the
      // clock's follows it immediately, and a response that was dropped never finishes: the test waits for one whose
      // body was read.
      const refused = page.waitForEvent('requestfinished', async (request) => {
        const response = await request.response()
        return response?.status() === 404
      })
      await page.getByRole('button', { name: 'Delete domain', exact: true }).click()
      assert.equal((await deleted).status(), 204)
      await page.clock.runFor(10_000)
      await refused
      await isDrawn(page)
      assert.equal(await page.getByRole('heading', { level: 1, includeHidden: true }).innerText(), name)
      paused.resolve()
      await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor()
    })
  })

  it('have no faults of accessibility, and fit a phone', async () => {
    const { id, name } = await add(tenant.session)
    const options = { url: system().client.url, session: tenant.session, viewport: 'phone' } as const
    await open(options, async ({ page }) => {
      await page.goto('/domains')
      await page.getByRole('link', { name }).waitFor()
      await assertAccessible(page)
      await page.goto(`/domains/${id}`)
      await page.getByRole('heading', { name: 'Recommended records' }).waitFor()
      await assertAccessible(page)
    })
  })
})
