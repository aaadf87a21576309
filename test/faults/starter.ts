import process from 'node:process'
import { inspect } from 'node:util'
import { Fault } from '@postrider/kit/fault.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { Config } from '../../services/standalone/config.ts'
import { serve } from '../../services/standalone/serve.ts'
import { standaloneMetrics, startStandalone } from '../../services/standalone/standalone.ts'

/*
 * A process that starts all services on a data directory, and stops them, for each directory that its parent sends. The
 * parent receives null, or why the start failed. An error of SQLite can kill a process, so it is not the process of the
 * tests.
 */

/** Opens and closes the stores and the servers as the main file of standalone does. */
const startAndStop = async (data: string): Promise<void> => {
  await using open = new AsyncDisposableStack()
  const config = Config.parse({ PORT: '0', POSTRIDER_DATA: data })
  const log = makeLog('starter', 'silent')
  const metrics = makeMetrics(standaloneMetrics)
  // Unhandled, the error ends this process, as a fatal error ends a service.
  const onFatal = (reason: unknown) => void Promise.reject(reason)
  const service = open.use(await startStandalone({ config, log, metrics, onFatal }))
  open.use(await serve({ config, log, metrics, service }))
  await service.domains.PlatformDomain()
}

/** Returns what a process prints after a failed start: of a Fault only the message. */
const explain = (reason: unknown): string => (reason instanceof Fault ? reason.message : inspect(reason))

process.on('message', async (data: string) => process.send?.(await startAndStop(data).then(() => null, explain)))
process.on('disconnect', () => process.exit())
