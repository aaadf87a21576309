import { readFileSync } from 'node:fs'
import { connect } from '../support/client.ts'
import { operatorToken, removeDataDirectory, startStandalone } from '../support/standalone.ts'
import type { Contestant } from './contestant.ts'
import { cpuMs, memoryMb } from './processes.ts'

export type Postrider = Contestant & {
  data: string
  /** SIGKILL; the data directory stays. */
  kill(): Promise<void>
}

/** What `npm start` gives to Node. */
const startFlags = (): string => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const words: string[] = manifest.scripts.start.split(' ')
  return words.filter((word) => word.startsWith('--')).join(' ')
}

/** Postrider as a person starts it, with a workspace freed of limits. `data`: an existing directory, whose mail is kept. */
export const startPostrider = async (
  sinkPort: number,
  more: { data?: string; env?: Record<string, string> } = {},
): Promise<Postrider> => {
  const begun = performance.now()
  const env = {
    POSTRIDER_ROUTE: `smtp://127.0.0.1:${sinkPort}`,
    POSTRIDER_OPERATOR_TOKEN: operatorToken,
    ...more.env,
    NODE_OPTIONS: [startFlags(), more.env?.['NODE_OPTIONS'] ?? ''].join(' '),
  }
  const standalone = await startStandalone(env, more.data)
  const readyMs = performance.now() - begun
  return {
    name: 'Postrider',
    target: { protocol: 'http', port: Number(new URL(standalone.url).port), ...(await access(standalone.url)) },
    queues: true,
    readyMs,
    cpuMs: () => cpuMs(standalone.pid),
    memoryMb: () => memoryMb(standalone.pid),
    data: standalone.data,
    kill: standalone.kill9,
    async close() {
      await standalone.stop()
      await removeDataDirectory(standalone.data)
    },
  }
}

/** Of a new workspace without limits. */
export const access = async (url: string): Promise<Pick<Contestant['target'], 'path' | 'authorization'>> => {
  const client = connect(url, operatorToken)
  const tenant = await client.tenant()
  client.close()
  return { path: '/api/v1/emails', authorization: `Bearer ${tenant.api.key}` }
}
