import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
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

/**
 * Links the libraries of a folder, which are the same as those of the tree, and the tree's workspace packages. The
 * result equals `npm ci`, without a registry.
 */
const linkModules = async (tree: string, installed: string): Promise<void> => {
  await mkdir(join(tree, 'node_modules', ours), { recursive: true })
  const link = (from: string, name: string) => symlink(from, join(tree, 'node_modules', name))
  // Names that begin with a dot are caches and programs.
  const all = await readdir(join(installed, 'node_modules'))
  for (const name of all.filter((each) => each !== ours && !each.startsWith('.')))
    await link(join(installed, 'node_modules', name), name)
  for (const folder of ['packages', 'services']) {
    for (const room of await readdir(join(tree, folder))) {
      const { name } = await readJson<{ name: string }>(tree, folder, room, 'package.json')
      await link(join(tree, folder, room), name)
      const own = join(folder, room, 'node_modules')
      if (existsSync(join(installed, own))) await symlink(join(installed, own), join(tree, own))
    }
  }
}

/**
 * Returns a folder with the libraries of a tree's lockfile, which are installed once, into node_modules/.cache:
 * `npm ci` uses 10 s of CPU. Of processes that install them at the same time one wins.
 */
const installedLibraries = async (tree: string, root: string): Promise<string> => {
  const hash = createHash('sha256').update(await readFile(join(tree, 'package-lock.json')))
  const cache = join(root, 'node_modules/.cache')
  const folder = join(cache, `postrider-libraries-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const fresh = await mkdtemp(join(cache, 'libraries-'))
  try {
    const manifests = globSync('{packages,services}/*/package.json', { cwd: tree })
    for (const file of ['package.json', 'package-lock.json', ...manifests])
      await cp(join(tree, file), join(fresh, file))
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
    const { code, output } = await run('npm', ['--prefix', fresh, 'ci', '--omit=dev', '--ignore-scripts', ...quiet])
    if (code !== 0) throw new Error(`npm ci for the last release failed: ${output}`)
    await rename(fresh, folder).catch((reason: unknown) => {
      if (!existsSync(folder)) throw reason
    })
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return folder
}

/**
 * Installs in an older tree the libraries of its release. During an upgrade, old and new drivers use the same back
 * ends, so the test needs both.
 */
export const installLibraries = async (tree: string, root: string): Promise<void> => {
  const lockfile = (folder: string) => readJson<Lockfile>(folder, 'package-lock.json')
  const isSame = sameLibraries(await lockfile(tree), await lockfile(root))
  return linkModules(tree, isSame ? root : await installedLibraries(tree, root))
}
