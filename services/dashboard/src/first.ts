import { addressOf } from './api/address.ts'
import { statsParameters, statsPath } from './api/statsParameters.ts'
import { storedMode } from './app/storedMode.ts'
import { overviewSearch, periodOf, usualRange } from './screens/overview/range.ts'

/*
 * The script that runs first. It is small, so while the browser still loads the others it requests what every screen
 * behind the login waits for, and for the screen that opens most often it loads the parts and requests the numbers.
 */

const sessionPath = '/api/v1/auth/session'

/** After this a response that no part has taken is dropped, so that no screen shows an old one. */
const keptMs = 10_000

/** Responses that were requested and that no part has read yet, by address. */
const asked = new Map<string, Promise<Response>>()

const ask = (address: string, headers: Record<string, string> = {}): Promise<Response> => {
  const response = fetch(address, { credentials: 'same-origin', headers })
  asked.set(address, response)
  setTimeout(() => asked.delete(address), keptMs)
  return response
}

/** The screens before the login and those of the operator need no session. */
const needsSession = !/^\/(login|signup|forgot|operator)(\/|$)/.test(location.pathname)

/** Requests the numbers of the first chart, if the address is that of the overview. */
const askForNumbers = async (session: Response): Promise<void> => {
  const { workspace }: { workspace: { id: string } } = await session.json()
  if (location.pathname !== '/overview') return
  const { range = usualRange } = overviewSearch(Object.fromEntries(new URLSearchParams(location.search)))
  const query = statsParameters(storedMode(), periodOf(range, Date.now()), 'status')
  await ask(addressOf(statsPath, { query }), { 'X-Workspace': workspace.id })
}

const beginOverview = async (): Promise<void> => {
  const session = await ask(sessionPath)
  // Without a session the login is shown.
  if (!session.ok || !/^\/(overview)?$/.test(location.pathname)) return
  const screen = import('./screens/overview/OverviewScreen.tsx')
  await Promise.all([screen, import('./screens/overview/Plot.tsx'), askForNumbers(session.clone())])
}

// The part that needs a response or a file reports that it could not be had.
if (needsSession) Promise.all([import('./app/shell/Shell.tsx'), beginOverview()]).catch(() => {})

/** Sends a request, or returns the response to the same one if it was sent above. Each response is returned once. */
export const fetchOrAsked: typeof fetch = (input, init) => {
  const response = typeof input === 'string' && (init?.method ?? 'GET') === 'GET' ? asked.get(input) : undefined
  if (typeof input !== 'string' || response === undefined) return fetch(input, init)
  asked.delete(input)
  return response
}
