import assert from 'node:assert/strict'
import type { Request } from 'playwright-core'
import { assertAccessible, useBrowser, useDashboard, viewports } from '../support/browser.ts'
import { useSystem } from '../support/suite.ts'

/** Maximum number of bytes of scripts, compressed, that the first page loads. */
const maxScriptBytes = 200_000

describe('dashboard in a browser', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()

  it('loads under its policy, from this service only', async () => {
    await open({ url: system().client.url }, async (opened) => {
      const { page, requests } = opened
      const response = await page.goto('/')
      assert.equal(response?.status(), 200)
      const policy = (await response?.headerValue('content-security-policy')) ?? ''
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
      assert.doesNotMatch(policy, /unsafe/)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      const types = new Set(requests.map(({ type }) => type))
      assert.ok(types.has('script') && types.has('stylesheet'), [...types].join(' '))
    })
  })

  it('loads at most 200 kB of script, compressed, before the first page shows', async () => {
    await open({ url: system().client.url }, async (opened) => {
      const { page } = opened
      const scripts: Request[] = []
      page.on('requestfinished', (request) => {
        if (request.resourceType() === 'script') scripts.push(request)
      })
      await page.goto('/')
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      // Not of scripts that follow: their sizes cannot be read when the page is closed.
      const sizes = await Promise.all(scripts.map((script) => script.sizes()))
      const bytes = sizes.reduce((sum, size) => sum + size.responseBodySize, 0)
      assert.ok(bytes > 10_000 && bytes <= maxScriptBytes, `${bytes} bytes in ${sizes.length} scripts`)
    })
  })

  it('shows the login to people without a session, in each size and scheme, without faults of accessibility', async () => {
    for (const viewport of Object.keys(viewports) as (keyof typeof viewports)[])
      await open({ url: system().client.url, viewport }, async (opened) => {
        const { page } = opened
        await page.goto('/emails')
        await page.getByRole('textbox', { name: /email/i }).waitFor()
        await assertAccessible(page)
      })
  })

  it('shows a person with a session their workspace', async () => {
    const { session } = await system().client.tenant()
    await open({ url: system().client.url, session }, async (opened) => {
      await opened.page.goto('/')
      await opened.page.getByText(session.record.workspace.name).first().waitFor()
    })
  })
})
