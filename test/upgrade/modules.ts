import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../kube/command.ts'

type Locked = { version?: string; link?: boolean; dev?: boolean; optional?: boolean }
type Lockfile = { packages: Record<string, Locked> }

const ours = '@postrider'

/**
 * Returns the libraries of the services with their versions: without workspace packages, development dependencies, and
 * optional dependencies, which differ between machines.
 */
const librariesIn = ({ packages }: Lockfile): Map<string, string> =>
  new Map(
    Object.entries(packages).flatMap(([path, { version, link, dev, optional }]) =>
      path.includes('node_modules/') && !link && !dev && !optional && version ? [[path, version]] : [],
    ),
  )

/** Returns whether the services of both lockfiles use the same libraries in the same places and versions. */
export const sameLibraries = (one: Lockfile, other: Lockfile): boolean => {
  const [here, there] = [librariesIn(one), librariesIn(other)]
  return here.size === there.size && [...here].every(([path, version]) => there.get(path) === version)
}

const readJson = async <T>(...path: string[]): Promise<T> => JSON.parse(await readFile(join(...path), 'utf8')) as T

/** Links our libraries and the tree's workspace packages. The result equals `npm ci`, without a registry. */
const linkModules = async (tree: string, root: string): Promise<void> => {
  await mkdir(join(tree, 'node_modules', ours), { recursive: true })
  const link = (from: string, name: string) => symlink(from, join(tree, 'node_modules', name))
  // Names that begin with a dot are caches and programs.
  const libraries = (await readdir(join(root, 'node_modules'))).filter((name) => name !== ours && !name.startsWith('.'))
  for (const name of libraries) await link(join(root, 'node_modules', name), name)
  for (const folder of ['packages', 'services']) {
    for (const room of await readdir(join(tree, folder))) {
      const { name } = await readJson<{ name: string }>(tree, folder, room, 'package.json')
      await link(join(tree, folder, room), name)
    }
  }
}

/**
 * Installs in an older tree the libraries of its release. During an upgrade, old and new drivers use the same back ends, so
 * the test needs both.
 */
export const installLibraries = async (tree: string, root: string): Promise<void> => {
  const lockfile = (folder: string) => readJson<Lockfile>(folder, 'package-lock.json')
  if (sameLibraries(await lockfile(tree), await lockfile(root))) return linkModules(tree, root)
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
  const { code, output } = await run('npm', ['--prefix', tree, 'ci', '--omit=dev', '--ignore-scripts', ...quiet])
  if (code !== 0) throw new Error(`npm ci for the last release failed: ${output}`)
}
