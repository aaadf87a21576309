import '@postrider/kit/telemetry.ts'
import { openNameWatch } from '@postrider/adapters/dns/names.ts'
import { templatesHandlers } from '@postrider/adapters/grpc/templates.ts'
import { auditIndexes } from '@postrider/adapters/mongo/audit/audit.ts'
import { openOutboxSweep } from '@postrider/adapters/mongo/audit/sweep.ts'
import { openMongo } from '@postrider/adapters/mongo/client/openMongo.ts'
import { mongoTemplates, templateIndexes, templateOutboxes } from '@postrider/adapters/mongo/templates.ts'
import { templatesSpec } from '@postrider/contracts/services.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { openGrpc } from '@postrider/kit/grpc/serve.ts'
import { openProcess } from '@postrider/kit/openProcess.ts'
import { run } from '@postrider/kit/run.ts'
import { Config } from './config.ts'
import { openTemplates } from './templates.ts'

await run('templates', readConfig(Config, process.env), async (open, config) => {
  const { log, metrics, readiness, started } = await openProcess(open, 'templates', config)
  openNameWatch({ open, config, log })
  const indexes = { ...templateIndexes, ...auditIndexes }
  const { db, now } = await openMongo({ open, config, name: 'templates', indexes, log, readiness })
  open.use(openOutboxSweep({ db, outboxes: templateOutboxes, now, log }))
  const templates = mongoTemplates(db)
  const implementation = openTemplates({
    templates,
    now,
    maxTemplates: config.POSTRIDER_MAX_TEMPLATES,
    maxVersions: config.POSTRIDER_MAX_TEMPLATE_VERSIONS,
  })
  const { port } = await openGrpc({
    open,
    name: 'templates',
    config,
    log,
    metrics,
    readiness,
    spec: templatesSpec,
    implementation: templatesHandlers(implementation),
  })
  started({ grpc_port: port })
})
