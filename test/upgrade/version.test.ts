import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/project.ts'
import { newestVersion } from './lastRelease.ts'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const found = (pattern: RegExp, file: string): string | undefined => pattern.exec(read(file))?.[1]

describe('version', () => {
  it('manifests, chart and Dockerfile have the newest version of the changelog', () => {
    const version = newestVersion(read('CHANGELOG.md'))
    assert.deepEqual(
      {
        package: (JSON.parse(read('package.json')) as { version: string }).version,
        lockfile: (JSON.parse(read('package-lock.json')) as { version: string }).version,
        chart: found(/^version: (\S+)$/m, 'charts/postrider/Chart.yaml'),
        app: found(/^appVersion: (\S+)$/m, 'charts/postrider/Chart.yaml'),
        image: found(/^ARG VERSION=(\S+)$/m, 'k8s/Dockerfile'),
      },
      { package: version, lockfile: version, chart: version, app: version, image: version },
    )
  })
})
