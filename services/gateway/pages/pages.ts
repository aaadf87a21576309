import type { Step } from '../context.ts'
import type { RouteDeps } from '../deps.ts'
import { capturedPage, capturedRaw } from './capturedPage.ts'
import { livez, metricsPage, readyz } from './health.ts'
import { homePage } from './homePage.ts'
import { mailboxPage } from './mailboxPage.ts'
import { problemPage } from './problemPage.ts'

/** What is served outside the API, by path; all of it is read. */
export const pages = (deps: RouteDeps): Record<string, Step> => ({
  '/': homePage(deps.config.publicUrl),
  '/livez': livez,
  '/readyz': readyz(deps),
  '/problems/:code': problemPage,
  '/mailbox': mailboxPage(deps),
  '/mailbox/:id': capturedPage(deps),
  '/mailbox/:id/raw': capturedRaw(deps),
  ...(deps.config.metricsOnPort && { '/metrics': metricsPage(deps) }),
})
