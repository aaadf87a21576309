import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, wrongUsage } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** Server and API key of requests. */
export type Credentials = { url: string; apiKey: string }

const defaultUrl = 'http://localhost:8080'

type ConfigFolder = Pick<Terminal, 'configFolder'>

const fileIn = ({ configFolder }: ConfigFolder): string => join(configFolder, 'postrider', 'credentials.json')

/** Returns the base URL of a server. @throws wrong usage */
export const serverUrl = (text: string): string => {
  const parsed = URL.canParse(text) ? new URL(text) : null
  const hasMore = parsed !== null && `${parsed.username}${parsed.password}${parsed.search}${parsed.hash}` !== ''
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || hasMore)
    throw wrongUsage(`${shownUrl(text)} is not the URL of a server, such as https://mail.example.com`)
  return parsed.href.replace(/\/(?:api\/v1\/?)?$/, '')
}

/** Returns what a message may show of a wrong URL: only a host with or without a scheme and a port is no secret. */
const shownUrl = (text: string): string =>
  /^(?:[a-z]+:\/\/)?[\w-]+(?:\.[\w-]+)+(?::\w{0,5})?$/i.test(text) ? text : 'The given text'

const readStored = async (configured: ConfigFolder): Promise<Credentials | null> => {
  try {
    const { url, api_key: apiKey } = JSON.parse(await readFile(fileIn(configured), 'utf8')) as Record<string, unknown>
    return typeof url === 'string' && typeof apiKey === 'string' ? { url, apiKey } : null
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw failed({
      code: 'no_credentials',
      message: `The file ${fileIn(configured)} cannot be read: ${(thrown as Error).message}`,
      hint: 'Run `postrider login` again.',
    })
  }
}

/** Stores credentials, readable by the user only. @returns the name of the file */
export const storeCredentials = async (configured: ConfigFolder, { url, apiKey }: Credentials): Promise<string> => {
  const file = fileIn(configured)
  const folder = join(configured.configFolder, 'postrider')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const next = `${file}.new`
  await rm(next, { force: true })
  await writeFile(next, `${JSON.stringify({ url, api_key: apiKey })}\n`, { mode: 0o600, flag: 'wx' })
  await chmod(next, 0o600)
  await rename(next, file)
  return file
}

/** @returns whether credentials were stored */
export const removeCredentials = async (configured: ConfigFolder): Promise<boolean> => {
  const isStored = (await readStored(configured)) !== null
  await rm(fileIn(configured), { force: true })
  return isStored
}

/**
 * Returns the server that the operator's token is for. A stored server is not: the token opens all workspaces of one
 * only.
 */
export const operatorUrl = ({ env }: Pick<Terminal, 'env'>): string => serverUrl(env['POSTRIDER_URL'] || defaultUrl)

/** Returns the server that a login without `--url` is for. */
export const loginUrl = async ({ env, ...configured }: ConfigFolder & Pick<Terminal, 'env'>): Promise<string> =>
  serverUrl(env['POSTRIDER_URL'] || (await readStored(configured).catch(() => null))?.url || defaultUrl)

/**
 * Returns the credentials of requests: those of the environment, else the stored ones. A stored key is only used for
 * the server that it was stored for.
 */
export const readCredentials = async ({
  env,
  ...configured
}: ConfigFolder & Pick<Terminal, 'env'>): Promise<Credentials> => {
  const { POSTRIDER_URL: givenUrl = '', POSTRIDER_API_KEY: givenKey = '' } = env
  if (givenUrl !== '' && givenKey !== '') return { url: serverUrl(givenUrl), apiKey: givenKey }
  const stored = await readStored(configured)
  const url = serverUrl(givenUrl || stored?.url || defaultUrl)
  if (givenKey !== '') return { url, apiKey: givenKey }
  if (stored !== null && stored.url === url) return { url, apiKey: stored.apiKey }
  throw failed({
    code: 'no_credentials',
    message: `There is no API key for ${url}.`,
    hint: 'Run `postrider login`, or set POSTRIDER_API_KEY.',
  })
}
