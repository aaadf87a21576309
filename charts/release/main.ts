import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { parse, parseDocument } from 'yaml'
import { withTools } from '../gen/tools.ts'
import { changesOf, publishedChart } from './chartFile.ts'

/*
 * node charts/release/main.ts --registry HOST/PATH --home URL [--out FOLDER] [--push]
 *
 * Builds the image and packages the chart of the version in Chart.yaml; the chart's `image.repository` is the pushed
 * image. Without --push it only packages the chart into FOLDER (default: ./release) and prints the commands that it
 * would run. Log in to the registry first, with `docker login` and `helm registry login`.
 */

const root = join(import.meta.dirname, '../..')
const chart = join(root, 'charts/postrider')
const { values } = parseArgs({
  options: {
    registry: { type: 'string' },
    home: { type: 'string' },
    out: { type: 'string', default: 'release' },
    push: { type: 'boolean', default: false },
  },
})
const usage = 'usage: node charts/release/main.ts --registry HOST/PATH --home https://… [--out FOLDER] [--push]'

/** Prints the reason and ends with exit code 2. */
const refuse = (reason: string): never => {
  process.stderr.write(`${reason}\n${usage}\n`)
  process.exit(2)
}

const { registry = '', home = '', out, push } = values
if (!/^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)*$/.test(registry))
  refuse(
    '--registry must be the host of a registry and a path, in lower case and without a scheme, such as images.example.com/mail',
  )
if (!/^https:\/\/[^\s?#]+[^\s?#/]$/.test(home))
  refuse('--home must be the https:// address of the project, without a slash at its end')

const { version, appVersion } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as Record<string, string>
const repository = `${registry}/postrider`
const image = `${repository}:${appVersion}`

const run = (command: string, ...args: string[]): void => {
  process.stdout.write(`${command} ${args.join(' ')}\n`)
  if (push || (command === 'helm' && args[0] === 'package'))
    execFileSync(command, args, { cwd: root, env: withTools(), stdio: ['ignore', 'inherit', 'inherit'] })
}

const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
const labels = ['--build-arg', `VERSION=${appVersion}`, '--build-arg', `REVISION=${commit}`]
run('docker', 'build', '--file', 'k8s/Dockerfile', ...labels, '--tag', image, '.')
run('docker', 'push', image)

const folder = mkdtempSync(join(tmpdir(), 'postrider-release-'))
try {
  const copy = join(folder, 'postrider')
  cpSync(chart, copy, { recursive: true })
  const changes = changesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version ?? '')
  const chartFile = join(copy, 'Chart.yaml')
  writeFileSync(chartFile, publishedChart(readFileSync(chartFile, 'utf8'), { home, image, changes }))
  const defaults = parseDocument(readFileSync(join(copy, 'values.yaml'), 'utf8'))
  defaults.setIn(['image', 'repository'], repository)
  writeFileSync(join(copy, 'values.yaml'), defaults.toString({ lineWidth: 0 }))
  mkdirSync(out, { recursive: true })
  run('helm', 'package', copy, '--destination', out)
  run('helm', 'push', join(out, `postrider-${version}.tgz`), `oci://${registry}/charts`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
