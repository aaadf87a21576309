import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { runs } from './command.ts'
import { moduleFolder } from './goModules.ts'

/**
 * Kubernetes' own servers and kwok, a kubelet of nodes that aren't there, built from their Go modules: once, about ten
 * minutes on two cores, into node_modules/.cache.
 */

const version = '1.36.3'
const kwokModule = 'sigs.k8s.io/kwok@v0.8.0'

export const binFolder = fileURLToPath(
  new URL(`../../node_modules/.cache/postrider-kube/${version}/bin`, import.meta.url),
)

const ofKubernetes = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl']
const all = [...ofKubernetes, 'etcd', 'kwok']

/** @throws Error what it said */
const must = async (...[command, ...args]: [string, ...string[]]): Promise<string> => {
  const { code, out, said } = await runs(command, args)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}\n${said}`)
  return out
}

const go = (...args: string[]): Promise<string> => must('env', 'CGO_ENABLED=0', `GOBIN=${binFolder}`, 'go', ...args)

/** Stages of a pod's and a node's life, as kwok's own module has them. */
export const kwokStages = async (): Promise<string> => join(await moduleFolder(kwokModule), 'kustomize/stage')

const etcdMain = `package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
`

/** A module that stands where Kubernetes' own repository does: its libraries are folders there, and modules elsewhere. */
const writeModule = async (folder: string): Promise<void> => {
  const source = await moduleFolder(`k8s.io/kubernetes@v${version}`)
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

/** @returns why there is no Kubernetes to install into; null: all of it is in `binFolder` */
export const whyNoKube = async (): Promise<string | null> => {
  if (process.env['POSTRIDER_KUBE'] !== 'yes') return '`npm run test:kube` does it'
  if (all.every((name) => existsSync(join(binFolder, name)))) return null
  try {
    await build()
    return null
  } catch (thrown) {
    return `Kubernetes can't be built: ${thrown instanceof Error ? thrown.message : thrown}`
  }
}
