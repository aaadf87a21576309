import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { skipSuiteIf, whyNoCommand } from './command.ts'
import { examples, rendered, renderedText } from './manifests.ts'
import { conform, whyNoSchemas } from './schemas.ts'

describe('objects of the chart', function objectsSuite() {
  // The first run downloads the modules.
  this.timeout(400_000)
  skipSuiteIf(async () => whyNoHelm() ?? (await whyNoCommand('kubeconform', ['-v'])) ?? (await whyNoSchemas()))

  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-objects-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const store = (name: string, text: string): string => {
    const file = join(folder, `${name}.yaml`)
    writeFileSync(file, text)
    return file
  }

  it('objects match the schemas of Kubernetes, the Prometheus operator, KEDA and the Gateway API', async () => {
    const given = ['--set', 'monitoring.dashboards.enabled=true,dispatcher.keda.signal=kafkaLag']
    const all = [null, ...examples].map((example) => renderedText(example))
    const files = [...all, renderedText('production', ...given)].map((text, number) => store(`valid-${number}`, text))
    const { code, output } = await conform('-summary', ...files)
    assert.equal(code, 0, output)
    assert.match(output, new RegExp(`in ${files.length} files .* Invalid: 0, Errors: 0, Skipped: 0`))
  })

  it('the validation fails for an unknown field in any kind', async () => {
    const invalid = rendered('production').map((object) => JSON.stringify({ ...object, unknownField: {} }))
    const { stdout, output } = await conform('-output', 'json', '-verbose', store('invalid', invalid.join('\n---\n')))
    const { resources } = JSON.parse(stdout) as { resources: { kind: string; name: string; status: string }[] }
    assert.equal(resources.length, invalid.length, output)
    assert.deepEqual(
      resources.filter(({ status }) => status !== 'statusInvalid'),
      [],
    )
  })
})
