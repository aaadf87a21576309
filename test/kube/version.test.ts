import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const read = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')

describe('the version', () => {
  it('is the same in the package, the chart, what the chart installs, and the image', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    const chart = parse(read('charts/postrider/Chart.yaml')) as { version: string; appVersion: string }
    const [, ofImage] = /^ARG VERSION=(\S+)$/m.exec(read('k8s/Dockerfile')) ?? []
    assert.deepEqual([chart.version, String(chart.appVersion), ofImage], [version, version, version])
  })
})
