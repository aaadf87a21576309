import { Fault } from '@postrider/kit/fault.ts'
import type { Context, Step } from '../deps.ts'
import { compared, foreverCached, sendFile } from '../staticFile.ts'
import type { DashboardFiles } from './dashboardFiles.ts'

/* The pages of the dashboard. Each begins with the same HTML file, whose script shows the page of the path. */

/**
 * Content security policy of the dashboard and the documentation: their own files and the API of this service, and
 * frames of this service, which show customers' HTML. No inline script or style, nothing of another host, no framing.
 */
export const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

/** Features of browsers that the dashboard does not use. */
export const unusedFeatures = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ')

/** Sends the HTML file. */
export const sendIndex = (context: Context, { index }: DashboardFiles): void => {
  context.set({
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': unusedFeatures,
  })
  sendFile(context, index, compared)
}

/** Sends a file below `/assets/`: its name has a hash of its content, so a copy never has to be compared. */
const assetStep = ({ others }: DashboardFiles): Step =>
  function asset(context) {
    const file = others.get(context.path.slice(1))
    if (!file) throw new Fault('not_found', 'This file does not exist. Reload the page: it may be of another release.')
    sendFile(context, file, foreverCached)
  }

/** Returns the step of `/` and the files, by their paths. */
export const dashboardPages = (dashboard: DashboardFiles): { method: 'GET'; path: string; step: Step }[] => {
  const files = [...dashboard.others].filter(([name]) => !name.startsWith('assets/'))
  return [
    { path: '/', step: (context: Context) => sendIndex(context, dashboard) },
    { path: '/assets/:name', step: assetStep(dashboard) },
    ...files.map(([name, file]) => ({
      path: `/${name}`,
      step: (context: Context) => sendFile(context, file, compared),
    })),
  ].map((page) => ({ method: 'GET', ...page }))
}

/** First parts of paths of the API, of other pages and of links in emails: the dashboard has no page there. */
const reserved: ReadonlySet<string> = new Set([
  ...['account', 'api', 'assets', 'docs', 'livez', 'mailbox', 'metrics', 'problems', 'readyz', 'u', 'o', 'c'],
])

/** The form of the path of a file; no page has it. */
const isFile = /\.[^/]*$/

/** Answers a browser that opens another page of the dashboard. A program gets the error of an unknown path. */
export const clientRoutes =
  (dashboard: DashboardFiles | null): Step =>
  (context, next) => {
    const { method, path } = context
    const isPage = !reserved.has(path.split('/', 2)[1] ?? '') && !isFile.test(path)
    const isPageRequest = (method === 'GET' || method === 'HEAD') && context.get('accept').includes('text/html')
    if (dashboard === null || !isPage || !isPageRequest) return next()
    context._matchedRoute = '/:page'
    context.vary('Accept')
    sendIndex(context, dashboard)
    return undefined
  }
