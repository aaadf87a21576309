import '@postrider/kit/telemetry.ts'
import { openNameWatch } from '@postrider/adapters/dns/names.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { releaseIdleMemory } from '@postrider/kit/idleMemory.ts'
import { logLifecycle } from '@postrider/kit/lifecycle.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { collectProcessMetrics, makeMetrics } from '@postrider/kit/metrics.ts'
import { run } from '@postrider/kit/run.ts'
import { banner } from './banner.ts'
import { Config } from './config.ts'
import { makeFilesPrivate } from './dataFiles.ts'
import { serve } from './serve.ts'
import { standaloneMetrics, startStandalone } from './standalone.ts'

// Every file of this process is private, because the data directory contains mail, password hashes and the secret.
process.umask(0o077)

await run('postrider', readConfig(Config, process.env), async (open, config) => {
  const log = makeLog('standalone', config.LOG_LEVEL, { redact: open.redact })
  const logStart = logLifecycle(open, log, 'standalone')
  const metrics = makeMetrics(standaloneMetrics)
  collectProcessMetrics(metrics)
  open.use(releaseIdleMemory())
  openNameWatch({ open, config, log })
  for (const file of makeFilesPrivate(config.POSTRIDER_DATA)) log.warn({ file }, 'file is accessible to other users')
  const service = open.use(await startStandalone({ config, log, metrics, onFatal: open.fail }))
  const { url, metricsUrl, first, signInUrl, operatorTokenFile } = open.use(
    await serve({ config, log, metrics, service }),
  )
  logStart({ url, ...(metricsUrl !== null && { metrics_url: metricsUrl }) })
  const senderDomain = await service.domains.PlatformDomain()
  process.stdout.write(banner({ url, metricsUrl, first, signInUrl, operatorTokenFile, senderDomain, config }))
})
