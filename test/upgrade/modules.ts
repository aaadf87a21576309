import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { runs } from '../kube/command.ts'

type Locked = { version?: string; link?: boolean; dev?: boolean; optional?: boolean }
type Lockfile = { packages: Record<string, Locked> }

const ours = '@postrider'

/**
 * What services are run with: not our own rooms, not what only tests use, and not what differs between machines – whose
 * version follows what wants it, or is the Node that images are built with.
 */
const runsWith = ({ packages }: Lockfile): Map<string, string> =>
  new Map(
    Object.entries(packages).flatMap(([path, { version, link, dev, optional }]) =>
      path.includes('node_modules/') && !link && !dev && !optional && version ? [[path, version]] : [],
    ),
  )

/** Whether the services of both lockfiles are run with the same libraries, each in the same place and version. */
export const sameLibraries = (one: Lockfile, other: Lockfile): boolean => {
  const [here, there] = [runsWith(one), runsWith(other)]
  return here.size === there.size && [...here].every(([path, version]) => there.get(path) === version)
}

const readJson = async <T>(...path: string[]): Promise<T> => JSON.parse(await readFile(join(...path), 'utf8')) as T

/** Our libraries, and the tree's own rooms: what `npm ci` would make, without its time and without a registry. */
const linkModules = async (tree: string, root: string): Promise<void> => {
  await mkdir(join(tree, 'node_modules', ours), { recursive: true })
  const link = (from: string, name: string) => symlink(from, join(tree, 'node_modules', name))
  // What begins with a dot are caches and programs.
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
 * Gives an older tree the libraries that it was released with. With others it would not be what runs at our users: an
 * old driver beside a new one, over the same back ends, is part of an upgrade.
 */
export const giveModules = async (tree: string, root: string): Promise<void> => {
  const lockfile = (folder: string) => readJson<Lockfile>(folder, 'package-lock.json')
  if (sameLibraries(await lockfile(tree), await lockfile(root))) return linkModules(tree, root)
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
  const { code, said } = await runs('npm', ['--prefix', tree, 'ci', '--omit=dev', '--ignore-scripts', ...quiet])
  if (code !== 0) throw new Error(`npm ci for the last release: ${said}`)
}
