import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parse } from 'yaml'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { changesOf } from '../../charts/release/chartFile.ts'
import { mustRun, run, skipSuiteIf } from './command.ts'
import { chart } from './manifests.ts'

const read = (name: string): string => readFileSync(join(chart, name), 'utf8')

describe('release of the chart', () => {
  it('Chart.yaml has what Artifact Hub shows, and the chart its license', () => {
    const { annotations, ...file } = parse(read('Chart.yaml'))
    for (const field of ['home', 'sources', 'icon', 'maintainers', 'keywords', 'kubeVersion', 'description'])
      assert.ok(file[field]?.length > 0, field)
    const { license } = JSON.parse(readFileSync('package.json', 'utf8'))
    assert.equal(annotations['artifacthub.io/license'], license)
    assert.equal(read('LICENSE'), readFileSync('LICENSE', 'utf8'))
    assert.match(readFileSync('charts/icon.svg', 'utf8'), /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
  })

  it('reads the changes of a version, each as one line with its kind, without the headings of groups', () => {
    const changelog =
      '## [Unreleased]\n\n### Added\n\n- Later.\n\n## [1.2.3] - 2026-01-01\n\n### Before you upgrade\n\n- Copy.\n\n### Fixed\n\n#### API\n\n- One\n  line.\n\n#### Chart\n\n- Two.\n\n### Security\n\n- Three.\n'
    assert.deepEqual(changesOf(changelog, '1.2.3'), [
      { kind: 'fixed', description: 'One line.' },
      { kind: 'fixed', description: 'Two.' },
      { kind: 'security', description: 'Three.' },
    ])
    assert.throws(() => changesOf(changelog, '1.2.4'), /CHANGELOG\.md has no section \[1\.2\.4\]; add it first/)
  })

  for (const [given, message] of [
    [[], /--registry must be the host of a registry and a path/],
    [['--registry', 'https://images.example.com'], /--registry must be the host of a registry/],
    [['--registry', 'images.example.com/mail'], /--home must be the https:\/\/ address/],
  ] as const)
    it(`ends with exit code 2 for ${given.join(' ') || 'no arguments'}`, async () => {
      const { code, output } = await run(process.execPath, ['charts/release/main.ts', ...given])
      assert.equal(code, 2)
      assert.match(output, message)
    })

  describe('package', () => {
    skipSuiteIf(async () => whyNoHelm())

    it('contains the image, the address and the changes; without --push nothing is built or pushed', async () => {
      const out = mkdtempSync(join(tmpdir(), 'postrider-package-'))
      try {
        const given = ['--registry', 'images.example.com/mail', '--home', 'https://mail.example.org', '--out', out]
        const printed = await mustRun(process.execPath, 'charts/release/main.ts', ...given)
        assert.match(printed, /^docker build .*--tag images\.example\.com\/mail\/postrider:/m)
        assert.match(printed, /^docker push images\.example\.com\/mail\/postrider:/m)
        assert.match(printed, /^helm push .*\.tgz oci:\/\/images\.example\.com\/mail\/charts$/m)
        const { version } = parse(read('Chart.yaml'))
        const file = join(out, `postrider-${version}.tgz`)
        const [shown, values] = [
          await mustRun('helm', 'show', 'chart', file),
          await mustRun('helm', 'show', 'values', file),
        ]
        const { home, annotations } = parse(shown)
        assert.equal(home, 'https://mail.example.org')
        assert.doesNotMatch(shown, /postrider\.example\.com/)
        const [image] = parse(annotations['artifacthub.io/images'])
        assert.equal(image.image, `images.example.com/mail/postrider:${version}`)
        assert.ok(parse(annotations['artifacthub.io/changes']).length > 0)
        assert.equal(parse(values).image.repository, 'images.example.com/mail/postrider')
        assert.match(values, /^# Labels of all objects/m)
      } finally {
        rmSync(out, { recursive: true, force: true })
      }
    })
  })
})
