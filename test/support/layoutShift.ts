import type { Page, Route } from 'playwright-core'
import { isWaiting } from './browser.ts'

/** A part of a page that moved without a press of a key or button. */
export type Shift = { value: number; moved: string[] }

/**
 * Parts of the window below which a move cannot be seen: ten square pixels. The editor of code moves its first line by
 * less when it has measured a letter.
 */
const invisible = 1e-5

/** Runs in the page, before its scripts. */
const observe = `{
  const shifts = []
  globalThis.shifts = shifts
  const nameOf = ({ node }) => {
    const element = node instanceof Element ? node : node?.parentElement
    return element?.tagName + ' ' + element?.className + ' ' + element?.textContent.slice(0, 40)
  }
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput && value >= ${invisible}) shifts.push({ value, moved: sources.map(nameOf) })
  }).observe({ type: 'layout-shift', buffered: true })
}`

/** Waits until two frames were drawn. */
const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(`(async () => {
    for (let frames = 0; frames < 2; frames++) await new Promise((next) => requestAnimationFrame(next))
    await new Promise((next) => setTimeout(next))
  })()`)

/**
 * Returns a function that returns what moved on the page since it was last opened. Requests of the API are handled one
 * after the other, the first or the last of those that wait, and the page is drawn between two responses. So the test
 * sees every state of a screen that a slow service could show, and does not depend on the speed of the machine. A
 * request that waits for events is passed on immediately: as the last one it would delay all others by 20 s, and then
 * the next such request would.
 */
export const watchShifts = async (page: Page, order: 'first' | 'last' = 'first'): Promise<() => Promise<Shift[]>> => {
  await page.addInitScript(observe)
  const waiting: Route[] = []
  let isAnswering = false
  const answerAll = async (): Promise<void> => {
    isAnswering = true
    for (;;) {
      // A page that was left is not drawn any more, and does not wait for its responses.
      await drawn(page).catch(() => {})
      const route = order === 'first' ? waiting.shift() : waiting.pop()
      if (!route) break
      await route.continue().catch(() => {})
      await route
        .request()
        .response()
        .catch(() => null)
    }
    isAnswering = false
  }
  await page.route('**/api/v1/**', (route) => {
    if (isWaiting(route.request().url())) return route.continue().catch(() => {})
    waiting.push(route)
    if (!isAnswering) answerAll()
  })
  return async () => {
    await drawn(page)
    return page.evaluate('shifts')
  }
}
