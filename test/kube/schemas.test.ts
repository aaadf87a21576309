import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { runs, skippedWhere, whyNot } from './command.ts'
import { examples, rendered, renderedText } from './manifests.ts'
import { schemaFolder, whyNoSchemas } from './schemas.ts'

describe('the chart’s objects', function objectsSuite() {
  // The first run fetches the modules.
  this.timeout(400_000)
  skippedWhere(async () => whyNoHelm() ?? (await whyNot('kubeconform', ['-v'])) ?? (await whyNoSchemas()))

  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-objects-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const judged = async (text: string) => {
    const file = join(folder, 'objects.yaml')
    writeFileSync(file, text)
    const location = `${schemaFolder}/{{.ResourceKind}}{{.KindSuffix}}.json`
    return runs('kubeconform', ['-strict', '-summary', '-schema-location', location, file])
  }

  it('are as Kubernetes, the Prometheus operator, KEDA and the Gateway API define them', async () => {
    const given = ['--set', 'monitoring.dashboards.enabled=true,dispatcher.keda.signal=kafkaLag']
    const all = [null, ...examples].map((example) => renderedText(example))
    for (const text of [...all, renderedText('production', ...given)]) {
      const { code, said } = await judged(text)
      assert.equal(code, 0, said)
      assert.match(said, /Invalid: 0, Errors: 0, Skipped: 0/)
    }
  })

  it('would be found out otherwise', async () => {
    const things = rendered('production')
    for (const kind of new Set(things.map((thing) => thing.kind))) {
      const wrong = things.filter((thing) => thing.kind === kind).map((thing) => ({ ...thing, speck: {} }))
      const { code, said } = await judged(wrong.map((thing) => JSON.stringify(thing)).join('\n---\n'))
      assert.notEqual(code, 0, said)
    }
  })
})
