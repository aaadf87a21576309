import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { run, skipSuiteIf, whyNoCommand } from './command.ts'
import { examples, rendered, renderedText } from './manifests.ts'
import { schemaFolder, whyNoSchemas } from './schemas.ts'

describe('objects of the chart', function objectsSuite() {
  // The first run downloads the modules.
  this.timeout(400_000)
  skipSuiteIf(async () => whyNoHelm() ?? (await whyNoCommand('kubeconform', ['-v'])) ?? (await whyNoSchemas()))

  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-objects-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const validate = async (text: string) => {
    const file = join(folder, 'objects.yaml')
    writeFileSync(file, text)
    const location = `${schemaFolder}/{{.ResourceKind}}{{.KindSuffix}}.json`
    return run('kubeconform', ['-strict', '-summary', '-schema-location', location, file])
  }

  it('objects match the schemas of Kubernetes, the Prometheus operator, KEDA and the Gateway API', async () => {
    const given = ['--set', 'monitoring.dashboards.enabled=true,dispatcher.keda.signal=kafkaLag']
    const all = [null, ...examples].map((example) => renderedText(example))
    for (const text of [...all, renderedText('production', ...given)]) {
      const { code, output } = await validate(text)
      assert.equal(code, 0, output)
      assert.match(output, /Invalid: 0, Errors: 0, Skipped: 0/)
    }
  })

  it('the validation fails for an unknown field in any kind', async () => {
    const objects = rendered('production')
    for (const kind of new Set(objects.map((object) => object.kind))) {
      const invalid = objects
        .filter((object) => object.kind === kind)
        .map((object) => ({ ...object, unknownField: {} }))
      const { code, output } = await validate(invalid.map((object) => JSON.stringify(object)).join('\n---\n'))
      assert.notEqual(code, 0, output)
    }
  })
})
