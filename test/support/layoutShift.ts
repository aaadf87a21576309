import type { Page } from 'playwright-core'

/** A part of a page that moved without a press of a key or button. */
export type Shift = { value: number; moved: string[] }

/**
 * Parts of the window below which a move cannot be seen: ten square pixels. The editor of code moves its first line by less when it
 * has measured a letter.
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
 * Returns a function that returns what moved on the page since it was last opened. Each request of the API waits until the page
 * was drawn without its answer, so that the test does not depend on the speed of the machine.
 */
export const watchShifts = async (page: Page): Promise<() => Promise<Shift[]>> => {
  await page.addInitScript(observe)
  await page.route('**/api/v1/**', async (route) => {
    // A page that was left is not drawn any more.
    await drawn(page).catch(() => {})
    await route.continue().catch(() => {})
  })
  return async () => {
    await drawn(page)
    return page.evaluate('shifts')
  }
}
