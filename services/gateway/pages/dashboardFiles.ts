import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Content, contentOf, type Encoding, type StaticFile } from '../staticFile.ts'

/*
 * The files of the built dashboard. All are read when the process starts, so no request reaches the file system: a path
 * either is the name of one of them or there is no file.
 */

/** The HTML file that every page begins with, and the others by their paths, such as `assets/index-1a2b3c4d.js`. */
export type DashboardFiles = { index: StaticFile; others: ReadonlyMap<string, StaticFile> }

/** Folder of the build. */
export const dashboardFolder = fileURLToPath(new URL('../../dashboard/dist', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Extensions that a build adds to the name of a file that it compresses. */
const encodings: readonly { extension: string; encoding: Encoding }[] = [
  { extension: '.br', encoding: 'br' },
  { extension: '.gz', encoding: 'gzip' },
]

const readContent = async (path: string): Promise<Content> => contentOf(await readFile(path))

const readOne = async (path: string, type: string, known: ReadonlySet<string>): Promise<StaticFile> => {
  const made = encodings.filter(({ extension }) => known.has(`${path}${extension}`))
  const encoded = made.map(async ({ extension, encoding }) => ({
    encoding,
    ...(await readContent(`${path}${extension}`)),
  }))
  return { type, plain: await readContent(path), encoded: await Promise.all(encoded) }
}

const isMissing = (thrown: unknown): boolean => thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'

/**
 * Reads a build. Files of other types than those of the table, such as source maps, are not served.
 * @returns null: there is no build
 */
export const readDashboard = async (folder: string): Promise<DashboardFiles | null> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((thrown: unknown) => {
    if (isMissing(thrown)) return []
    throw thrown
  })
  const known = new Set(entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name)))
  const others = new Map<string, StaticFile>()
  for (const path of known) {
    const type = types[extname(path)]
    if (type !== undefined) others.set(relative(folder, path).split(sep).join('/'), await readOne(path, type, known))
  }
  const index = others.get('index.html')
  others.delete('index.html')
  return index ? { index, others } : null
}
