import type { Browser, Page } from 'playwright-core'
import { type Client, isFinal, rawMail, type Session } from '../support/client.ts'

/* Parts of the benches of the dashboard. */

export type Browsing = { browser: Browser; url: string; session: Session }

/** Opens a browser with an empty cache and the session. */
export const openContext = async ({ browser, url, session }: Browsing) => {
  const shown = { viewport: { width: 1280, height: 800 }, locale: 'en-GB', timezoneId: 'UTC' }
  const context = await browser.newContext({ baseURL: url, ...shown })
  context.setDefaultTimeout(600_000)
  const cookies = session.cookie.split('; ').map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/)
    return { name, value, url }
  })
  await context.addCookies(cookies)
  return context
}

/** Runs in the page before its scripts. Stores when the first chart was in a frame. */
export const watchChart = `new MutationObserver((_, observer) => {
  if (!document.querySelector('[role="img"][aria-label^="Recipients by outcome"] canvas')) return
  observer.disconnect()
  requestAnimationFrame(() => setTimeout(() => { globalThis.chartMs = performance.now() }))
}).observe(document, { childList: true, subtree: true })`

/** Opens the overview. Returns the milliseconds from the navigation to the first frame with the first chart. */
export const chartMs = async (page: Page): Promise<number> => {
  await page.goto('/overview')
  await page.locator('canvas').first().waitFor()
  for (;;) {
    const shownAt = await page.evaluate('globalThis.chartMs')
    if (typeof shownAt === 'number') return shownAt
  }
}

/**
 * Returns the session of a workspace whose statistics count an email. The stored emails above have no events to count.
 */
export const aWorkspaceWithMail = async (client: Client): Promise<Session> => {
  const { send, until, session } = await client.tenant()
  const { body } = await send(rawMail())
  await until(body.id, isFinal)
  return session
}
