import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core'
import { launchBrowser, whyNoBrowser } from './chromium.ts'
import type { Session } from './client.ts'
import { root } from './project.ts'
import { skip } from './skip.ts'
import { hangMs, until } from './until.ts'

/* Pages in a real browser, for tests of what people see. */

export const viewports = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const
export const schemes = ['light', 'dark'] as const

export type PageOptions = {
  /** The service. Requests to any other host are reported. */
  url: string
  viewport?: keyof typeof viewports
  /** Whose cookie the browser has; absent: none. */
  session?: Pick<Session, 'cookie'>
  /** Messages of the console that this test expects. */
  expected?: RegExp
  /** Runs in every document before its own scripts. */
  script?: string
}

/** A page, and what went wrong in it. */
export type TestPage = {
  page: Page
  context: BrowserContext
  /** Errors of the console and of scripts, violations of a policy, and requests to other hosts. */
  problems: string[]
  /** Every request that the page made or wanted to make, in order. */
  requests: { url: string; type: string }[]
  /**
   * Resolves when the page has read what it needs: no request is in flight at some checks in a row, except a request
   * that waits for events.
   */
  hasRead(): Promise<void>
}

/** Returns whether a request waits for events. */
export const isWaiting = (url: string): boolean => new URL(url).searchParams.has('wait')

/** Looks at the requests in flight, and the milliseconds between them. */
const [quietChecks, quietCheckMs] = [5, 100]

/** How long a page may take to show something on a busy machine. */
const waitMs = hangMs

let shared: Promise<Browser> | undefined

after(async function closeBrowser() {
  await (await shared?.catch(() => null))?.close()
})

/** Opens a page, calls `use` with it, and closes it. Fails if anything went wrong in the page. */
export type OpenPage = (options: PageOptions, use: (opened: TestPage) => Promise<void>) => Promise<void>

/**
 * Returns a function that opens pages for the tests of the calling `describe`. They are skipped where the browser
 * cannot run; in CI that is a failure.
 */
export const useBrowser = (): OpenPage => {
  let browser: Browser | null = null
  before(async function startBrowser() {
    const reason = whyNoBrowser()
    if (reason !== null && process.env['CI'] === 'true') throw new Error(reason)
    if (reason !== null) skip(this, reason)
    shared ??= launchBrowser()
    browser = await shared
  })
  return async (options, use) => {
    assert.ok(browser, 'the browser is only available in tests')
    const opened = await openPage(browser, options)
    try {
      await useOpened(opened, use)
    } finally {
      await opened.context.close()
    }
    assert.deepEqual(opened.problems, [])
  }
}

/**
 * Returns a function that calls `use` with one page for all tests of the calling `describe`, which `open` opens at the
 * first call and closes after the last test. Each call fails if anything has gone wrong in the page since the last one.
 * The next document of a page costs half the CPU of the first document of another page.
 */
export const useSharedPage = (
  open: OpenPage,
  options: () => PageOptions,
): ((use: (opened: TestPage) => Promise<void>) => Promise<void>) => {
  const done = Promise.withResolvers<void>()
  let page: { opened: Promise<TestPage>; closed: Promise<void> } | undefined
  const openOnce = () => {
    const opened = Promise.withResolvers<TestPage>()
    const closed = open(options(), (one) => {
      opened.resolve(one)
      return done.promise
    })
    closed.catch(opened.reject)
    return { opened: opened.promise, closed }
  }
  after(async function closePage() {
    done.resolve()
    await page?.closed
  })
  return async (use) => {
    page ??= openOnce()
    const opened = await page.opened
    await useOpened(opened, use)
    assert.deepEqual(opened.problems.splice(0), [])
  }
}

const useOpened = async (opened: TestPage, use: (opened: TestPage) => Promise<void>): Promise<void> => {
  try {
    await use(opened)
  } catch (thrown) {
    // The cause of a missing element is often among them.
    if (thrown instanceof Error) thrown.message = [thrown.message, ...opened.problems].join('\n')
    throw thrown
  }
}

/** The tests of the calling `describe` need the built dashboard. */
export const useDashboard = (): void => {
  before(function findDashboard() {
    if (existsSync(join(root, 'services/dashboard/dist/index.html'))) return
    const reason = 'the dashboard is not built; run npm run build:dashboard'
    if (process.env['CI'] === 'true') throw new Error(reason)
    skip(this, reason)
  })
}

const cookiesOf = ({ cookie }: Pick<Session, 'cookie'>, url: string) =>
  cookie.split('; ').map((pair) => {
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url }
  })

/** The browser logs the response to the question whether there is a session. */
const noSession = /status of 401/

const openPage = async (browser: Browser, options: PageOptions): Promise<TestPage> => {
  const { url, viewport = 'desktop', session, expected, script } = options
  const context = await browser.newContext({
    baseURL: url,
    viewport: viewports[viewport],
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    isMobile: viewport === 'phone',
    hasTouch: viewport === 'phone',
  })
  if (session) await context.addCookies(cookiesOf(session, url))
  const problems: string[] = []
  const requests: TestPage['requests'] = []
  const report = (text: string): void => {
    const isExpected = expected?.test(text) || (session === undefined && noSession.test(text))
    if (!isExpected) problems.push(text)
  }
  const host = new URL(url).host
  context.on('console', (message) => {
    const { url: from } = message.location()
    // A request that waits is refused when its session ends, moves or gets another token. It is chance whether the page
    // is left before.
    if (/status of 40[19]/.test(message.text()) && URL.canParse(from) && isWaiting(from)) return
    // The text of a failed request does not contain its address.
    if (message.type() === 'error') report(`console: ${message.text()} ${from}`)
  })
  context.on('weberror', (error) => report(`script: ${error.error().message}`))
  const inFlight = new Set<Request>()
  context.on('request', (request) => {
    requests.push({ url: request.url(), type: request.resourceType() })
    if (!isWaiting(request.url())) inFlight.add(request)
  })
  const end = (request: Request): void => void inFlight.delete(request)
  context.on('requestfinished', end)
  context.on('requestfailed', end)
  const hasRead = async (): Promise<void> => {
    let checks = 0
    const check = (): true | undefined => {
      checks = inFlight.size === 0 ? checks + 1 : 0
      return checks >= quietChecks || undefined
    }
    await until('the page has read what it needs', check, hangMs, quietCheckMs)
  }
  const reportOther = (request: Request): void => {
    const target = new URL(request.url())
    const isLocal = ['data:', 'blob:', 'about:'].includes(target.protocol)
    if (!isLocal && target.host !== host) report(`request to another host: ${request.url()}`)
  }
  context.on('requestfinished', reportOther)
  context.on('requestfailed', (request) => {
    // A request that a policy refused never left the browser; the console reports it.
    if (!/csp/i.test(request.failure()?.errorText ?? '')) reportOther(request)
  })
  // Only ends a test that hangs; mocha's own limit would not report what the page shows.
  context.setDefaultTimeout(waitMs)
  await context.addInitScript({ content: recordToasts })
  const page = await context.newPage()
  // Not in the empty document of the new page, which may read no storage.
  if (script !== undefined) await page.addInitScript({ content: script })
  return { page, context, problems, requests, hasRead }
}

/** Stores every toast that a page shows in `shownToasts`. */
const recordToasts = `if (window === top) {
  window.shownToasts = []
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof Element) {
        const toasts = [node, ...node.querySelectorAll('*')].filter((one) => one.matches('li[data-swipe-direction]'))
        window.shownToasts.push(...toasts.filter((toast) => toast.getClientRects().length > 0))
      }
  }).observe(document, { childList: true, subtree: true })
}`

/**
 * Waits until an expression is true in the page. Playwright's own function for that evaluates a text in the page from
 * the second check on, which the policy of the page refuses.
 */
export const isTrue = (page: Page, what: string, expression: string): Promise<true> =>
  until(what, async () => ((await page.evaluate(expression)) ? true : undefined))

/**
 * Waits until the page has shown a toast of that title since it was loaded, and since the last toast that a test waited
 * for. A locator would find the announcement for screen readers too, for a second, and no toast after four seconds.
 */
export const toastShown = (page: Page, title: string | RegExp): Promise<true> =>
  isTrue(
    page,
    `a toast ${title}`,
    `(() => {
    const isTitle = (text) => ${typeof title === 'string' ? `text === ${JSON.stringify(title)}` : `${title}.test(text)`}
    const hasTitle = (toast) => [...toast.querySelectorAll('*')].some(({ textContent }) => isTitle(textContent))
    const at = window.shownToasts.findIndex(hasTitle)
    return at >= 0 && window.shownToasts.splice(0, at + 1).length > 0
  })()`,
  )

/** Waits until a locator's element has the focus, so that typed text gets there. */
export const hasFocus = (page: Page, field: Locator): Promise<void> => field.and(page.locator(':focus')).waitFor()

/**
 * Waits until the page has drawn what it shows and run the effects that follow. A key that is pressed immediately can
 * come before the effect that listens to it.
 */
export const isDrawn = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))))`)

const axe = (): string => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; help: string; nodes: { html: string; failureSummary: string }[] }

/**
 * Gives elements their final colors and positions immediately, from now on. A transition that only ends is not enough:
 * data that arrive during the checks begin another, and until the next frame the element has its former color on its
 * new background. A change of the scheme or size is applied in the next frame, which a busy machine may draw late.
 */
const stopMotion = (page: Page): Promise<unknown> =>
  page.evaluate(`(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
    if (!document.isStill) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
      document.adoptedStyleSheets.push(sheet)
      document.isStill = true
    }
    await document.fonts.ready
    await frame()
    await frame()
  })()`)

/**
 * Fails with every violation of the rules for WCAG 2.2 AA and of good practice in each color scheme, and if the page is
 * wider than its viewport. It checks the page without transitions. A scheme changes only colors, so the rules about
 * other things run in one. It begins with the scheme that the page has: a change draws the whole page again.
 */
export const assertAccessible = async (page: Page): Promise<void> => {
  const width = page.viewportSize()?.width ?? assert.fail('the page has no viewport')
  const isDark = await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`)
  for (const [at, colorScheme] of (isDark ? schemes.toReversed() : schemes).entries()) {
    await page.emulateMedia({ colorScheme })
    const found = await violations(page, at === 0 ? 'all' : 'colors')
    assert.deepEqual(found, [], `${page.url()}, ${colorScheme}\n${found.join('\n')}`)
    const shown = (await page.evaluate('document.documentElement.scrollWidth')) as number
    assert.ok(shown <= width, `${page.url()} is ${shown} px wide in ${width}`)
  }
}

/**
 * Loads axe into the document. Compiling it costs as much CPU as a check. The browser keeps the compiled form of what
 * the debugger evaluates for the next document of the page, and the page's policy does not refuse it.
 */
const loadAxe = async (page: Page): Promise<void> => {
  if (await page.evaluate('"axe" in window')) return
  const session = await page.context().newCDPSession(page)
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: axe() })
  await session.detach()
  assert.equal(exceptionDetails, undefined, exceptionDetails?.exception?.description)
}

const violations = async (page: Page, rules: 'all' | 'colors'): Promise<string[]> => {
  await stopMotion(page)
  await loadAxe(page)
  const only = rules === 'colors' ? `runOnly: ['color-contrast', 'link-in-text-block']` : ''
  const found = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'], ${only} }).then(({ violations }) => violations)`,
  )) as Violation[]
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html.slice(0, 300)}\n  ${failureSummary}`),
  )
}

/** Maximum number of bytes of a picture. */
const pictureBytes = 120_000

/** Writes a picture of what the page shows, as WebP of at most 120 kB. */
export const takePicture = async (page: Page, file: string): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  for (let quality = 90; quality > 0; quality -= 20) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
    const bytes = Buffer.from(data, 'base64')
    if (bytes.length <= pictureBytes) return writeFile(file, bytes)
  }
  assert.fail(`${file} has more than ${pictureBytes} bytes in any quality`)
}

/** The element that has the focus, even inside a shadow root, which contains the editor of code. */
const focused = `(() => { let one = document.activeElement; while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement; return one })()`

/** Returns what names the element that has the focus: its label and its content. */
const focusedName = (page: Page): Promise<string> =>
  page.evaluate(
    `(() => { const one = ${focused}; return [one?.getAttribute('aria-label'), ...[...(one?.labels ?? [])].map((label) => label.textContent), one?.textContent, one?.getAttribute('name'), one?.getAttribute('id')].filter(Boolean).join(' ') })()`,
  )

/** Presses Tab until the focus is on an element of that name. Fails if it is not reached. */
export const tabTo = async (page: Page, name: RegExp, max = 60): Promise<void> => {
  const seen: string[] = []
  for (let presses = 0; presses < max; presses++) {
    await page.keyboard.press('Tab')
    const text = await focusedName(page)
    if (name.test(text)) return
    seen.push(text.slice(0, 40))
  }
  assert.fail(`no element ${name} after ${max} presses of Tab: ${seen.join(' | ')}`)
}

/**
 * Waits until the element that has the focus shows it: by its own outline, by that of the layer with which it covers
 * its row, or by that of the label or frame around it.
 */
export const focusVisible = (page: Page): Promise<true> =>
  isTrue(
    page,
    'the focus is visible',
    `(() => {
      const one = ${focused}
      if (!one || one === document.body) return false
      const shows = (style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
      const label = one.closest('label')
      const host = one.getRootNode().host?.closest('[class*="focus-within"]')
      return shows(getComputedStyle(one)) || shows(getComputedStyle(one, '::after')) || Boolean(label && shows(getComputedStyle(label))) || Boolean(host)
    })()`,
  )
