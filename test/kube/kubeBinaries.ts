import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { goModuleFolder, mustRun } from './command.ts'

/*
 * The servers of Kubernetes, and kwok, which simulates nodes. They are built once from their Go modules into
 * node_modules/.cache, which needs about ten minutes on two cores.
 */

const version = '1.36.3'
const kwokModule = 'sigs.k8s.io/kwok@v0.8.0'

export const binFolder = fileURLToPath(
  new URL(`../../node_modules/.cache/postrider-kube/${version}/bin`, import.meta.url),
)

const ofKubernetes = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl']
const all = [...ofKubernetes, 'etcd', 'kwok']

const go = (...args: string[]): Promise<string> => mustRun('env', 'CGO_ENABLED=0', `GOBIN=${binFolder}`, 'go', ...args)

/** Returns the folder of kwok's stages of pods and nodes. */
export const kwokStages = async (): Promise<string> => join(await goModuleFolder(kwokModule), 'kustomize/stage')

const etcdMain = `package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
`

/** Writes a Go module that builds Kubernetes with its libraries as modules; in its repository they are folders. */
const writeModule = async (folder: string): Promise<void> => {
  const source = await goModuleFolder(`k8s.io/kubernetes@v${version}`)
  const libraries = (await readFile(join(source, 'go.mod'), 'utf8')).matchAll(/^\s*(k8s\.io\/[a-z-]+) => \.\/staging/gm)
  const replaced = [...libraries].map(([, library]) => `\t${library} => ${library} v0.${version.slice(2)}`)
  const lines = ['module local/kube', 'go 1.26.0', 'godebug default=go1.26', `require k8s.io/kubernetes v${version}`]
  await mkdir(join(folder, 'etcd'), { recursive: true })
  await writeFile(join(folder, 'go.mod'), `${lines.join('\n\n')}\n\nreplace (\n${replaced.join('\n')}\n)\n`)
  await writeFile(join(folder, 'go.sum'), await readFile(join(source, 'go.sum')))
  await writeFile(join(folder, 'etcd/main.go'), etcdMain)
  await go('-C', folder, 'get', `k8s.io/kubernetes@v${version}`)
}

const build = async (): Promise<void> => {
  const folder = join(binFolder, '../source')
  await rm(folder, { recursive: true, force: true })
  await mkdir(binFolder, { recursive: true })
  await writeModule(folder)
  const about = 'k8s.io/component-base/version'
  const [major, minor] = version.split('.')
  const named = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor }
  const flags = Object.entries(named).map(([name, value]) => `-X ${about}.${name}=${value}`)
  const options = ['-mod=mod', '-trimpath', '-ldflags', `-s -w ${flags.join(' ')}`, '-o', `${binFolder}/`]
  for (const name of ofKubernetes) {
    console.log(`building ${name}`)
    await go('-C', folder, 'build', ...options, `k8s.io/kubernetes/cmd/${name}`)
  }
  console.log('building etcd and kwok')
  await go('-C', folder, 'build', ...options, './etcd')
  const kwok = kwokModule.replace('@', '/cmd/kwok@')
  await go('install', '-trimpath', '-ldflags', '-s -w', kwok)
}

/**
 * Builds Kubernetes if necessary. Returns the reason why it is unavailable, or null if all programs are in `binFolder`.
 */
export const whyNoKube = async (): Promise<string | null> => {
  if (process.env['POSTRIDER_KUBE'] !== 'yes') return 'only `npm run test:kube` runs it'
  if (all.every((name) => existsSync(join(binFolder, name)))) return null
  try {
    await build()
    return null
  } catch (thrown) {
    return `cannot build Kubernetes: ${thrown instanceof Error ? thrown.message : thrown}`
  }
}
