import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  schemes,
  takePicture,
  useBrowser,
  useDashboard,
  useSharedPage,
  viewports,
} from '../support/browser.ts'
import { fresh, isFinal, rawMail, type Tenant } from '../support/client.ts'
import { operatorUser, withoutFactor } from '../support/operatorUser.ts'
import { parkEmail } from '../support/parkEmail.ts'
import { root } from '../support/project.ts'
import { operatorToken } from '../support/standalone.ts'
import { useSystem } from '../support/suite.ts'
import { operatorScreens, type Records, type Screen, screens } from './screens.ts'

/** `npm run screens` sets it: then the pictures in docs/screens are written. */
const writesPictures = process.env['POSTRIDER_SCREENS'] === 'write'
const folder = join(root, 'docs/screens')

const html = '<h1>Your invoice</h1><p>Thank you for your order. The invoice is attached.</p>'

describe('screens', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  const asStranger = useSharedPage(open, () => ({ url: system().client.url }))
  const asTenant = useSharedPage(open, () => ({ url: system().client.url, session: tenant.session }))
  const script = `sessionStorage.setItem('postrider.operator', ${JSON.stringify(operatorToken)})`
  const asOperator = useSharedPage(open, () => ({ url: system().client.url, script }))
  let tenant: Tenant
  let records: Records

  before(async () => {
    tenant = await system().client.tenant()
    const refused = fresh('refused')
    system().receiver.refuse(refused, { code: 550, text: '5.1.1 No such user here' })
    const sent = await tenant.send(
      rawMail({ to: [fresh('jane'), refused], subject: 'Your invoice', html, tags: { team: 'billing' } }),
    )
    assert.equal(sent.status, 202, sent.text)
    await tenant.until(sent.body.id, isFinal)
    // The operator's screens show what waits and what is parked.
    for (const to of ['waiting', 'parked']) {
      const later = await tenant.send(rawMail({ to: [fresh(to)], subject: 'Reminder', scheduled_at: 'PT1H' }))
      assert.equal(later.status, 202, later.text)
      if (to === 'parked') await parkEmail(system(), later.body.id)
    }
    // One operator who can act, and one without a second factor.
    const other = await system().client.tenant()
    await operatorUser(system(), other)
    const { session, recovery } = await operatorUser(system(), other)
    await withoutFactor(session, recovery)
    const template = await tenant.session.call<{ id: string }>({
      path: '/api/v1/templates',
      json: {
        name: 'Receipt',
        alias: 'receipt',
        subject: 'Order {{number}}',
        html_body: '<h1>Thank you, {{name}}</h1>',
      },
    })
    assert.equal(template.status, 201, template.text)
    const upgraded = await tenant.session.call({ path: '/api/v1/billing/plan', json: { plan: 'pro' } })
    assert.equal(upgraded.status, 200, upgraded.text)
    const { data } = (await tenant.session.call<{ data: { id: string }[] }>({ path: '/api/v1/billing/invoices' })).body
    const [workspace, user] = [tenant.workspace.id, tenant.session.record.user.id]
    records = { email: sent.body.id, template: template.body.id, invoice: data[0]?.id ?? '', workspace, user }
    if (writesPictures) await mkdir(folder, { recursive: true })
  })

  const sizes = Object.entries(viewports)

  /** Begins with the size and scheme that the page has, because each change draws all of it again. */
  const check = async (page: Page, { name, path, isShown }: Screen): Promise<void> => {
    await page.goto(path(records))
    await isShown(page)
    const isPhone = page.viewportSize()?.width === viewports.phone.width
    for (const [size, viewport] of isPhone ? sizes.toReversed() : sizes) {
      await page.setViewportSize(viewport)
      await assertAccessible(page)
      for (const colorScheme of writesPictures ? schemes : []) {
        await page.emulateMedia({ colorScheme })
        await takePicture(page, join(folder, `${name}-${size}-${colorScheme}.webp`))
      }
    }
  }

  for (const screen of screens)
    it(`${screen.name}: accessible and without faults in each size and scheme`, () =>
      (screen.isOpen ? asStranger : asTenant)(({ page }) => check(page, screen)))

  for (const screen of operatorScreens)
    it(`${screen.name}: accessible and without faults in each size and scheme`, () =>
      asOperator(({ page }) => check(page, screen)))
})
