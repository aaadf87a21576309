import { join } from 'node:path'
import type { Clock, Monotonic } from '@postrider/kit/clock.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { Config } from '../../services/standalone/config.ts'
import { serve } from '../../services/standalone/serve.ts'
import { standaloneMetrics, startStandalone } from '../../services/standalone/standalone.ts'
import { type Client, connect } from './client.ts'
import { createMigrated } from './newDatabase.ts'
import { makeDataDirectory, operatorToken, removeDataDirectory } from './standalone.ts'

export type OwnService = AsyncDisposable & {
  client: Client
  service: Awaited<ReturnType<typeof startStandalone>>
  /** The link that the start prints. */
  signInUrl: string | null
  /** The data directory. */
  data: string
}

type OwnServiceOptions = {
  /** The data directory, which stays; absent: a new one, which is removed. */
  data?: string
  now?: Clock
  elapsed?: Monotonic
}

const configOf = (env: Record<string, string>): Config => {
  const defaults = {
    PORT: '0',
    POSTRIDER_OPERATOR_TOKEN: operatorToken,
    POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
  }
  const read = readConfig(Config, { ...defaults, ...env })
  if ('errors' in read || read.unknown.length > 0) throw new Error(`invalid configuration: ${JSON.stringify(read)}`)
  return read.config
}

/**
 * Starts the whole service in this process, with the configuration that `main.ts` would read from `env`. It costs a
 * tenth of the CPU of `ownSystem`, which is for tests of the process: its output, signals, files, memory
 * and environment.
 */
export const ownService = async (
  env: Record<string, string>,
  { data: given, ...clocks }: OwnServiceOptions = {},
): Promise<OwnService> => {
  const stack = new AsyncDisposableStack()
  try {
    const data = given ?? stack.adopt(await makeDataDirectory(), removeDataDirectory)
    if (given === undefined) createMigrated(join(data, 'postrider.db'))
    const config = configOf({ POSTRIDER_DATA: data, ...env })
    const log = makeLog('standalone', 'silent')
    const metrics = makeMetrics(standaloneMetrics)
    const onFatal = (reason: unknown): void => {
      throw new Error('the service reported a fatal error', { cause: reason })
    }
    const service = stack.use(await startStandalone({ config, log, metrics, onFatal, ...clocks }))
    const { url, signInUrl } = stack.use(await serve({ config, log, metrics, service }))
    const client = connect(url, operatorToken)
    stack.defer(() => client.close())
    return { client, service, signInUrl, data, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  } catch (thrown) {
    await stack.disposeAsync()
    throw thrown
  }
}
