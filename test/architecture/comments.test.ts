import assert from 'node:assert/strict'
import { basename, dirname } from 'node:path'
import { lacking, mapsIn } from '../support/maps.ts'
import { commentsIn, withoutComments } from '../support/wording.ts'
import { filesIn, isGenerated, sources, testSupport, textOf, workspaceOf } from './sources.ts'

/* Names in comments. A reader who searches for a name that no longer exists finds nothing. */

const files = ['packages', 'services', 'charts', 'test'].flatMap(filesIn)
const product = sources.filter((file) => !isGenerated(file))

/** Returns the name by which a map lists a file. */
const stemOf = (file: string): string => basename(file).replace(/\.tsx?$/, '')

const folders = Map.groupBy(
  product.filter((file) => !testSupport.test(file)),
  (file) => dirname(file),
)
const others = (file: string): string[] =>
  (folders.get(dirname(file)) ?? []).filter((other) => other !== file).map(stemOf)

const comments = new Map(product.map((file) => [file, commentsIn(textOf(file))]))
const commentsOf = (file: string): string[] => comments.get(file) ?? []
const mapsOf = (file: string): string[] => mapsIn(commentsOf(file), others(file))

/** The names in the code of each file. */
const names = new Map(product.map((file) => [file, new Set(withoutComments(textOf(file)).match(/[A-Za-z]\w+/g))]))

/** Names of the platform that the code does not contain. */
const foreign = new Set(['TCPSocketWrap', 'adoptedStyleSheets'])

const pathInComment = /(?<![\w.*/{-])((?:[\w-]+\/)*[\w-]+(?:\.\w+)*\.tsx?)\b/g
const nameInComment = /`([A-Za-z]+[A-Z]\w*)(?:\(\))?`/g
/** A name in a map, of a file or of a function. */
const nameInMap = /(?<![\w.`])[a-z]+[A-Z]\w*\b/g

const namesIn = (comment: string, pattern: RegExp): string[] =>
  [...comment.matchAll(pattern)].map(([all, name]) => name ?? all)

const byName = Map.groupBy(files, (file) => basename(file))

/** Returns whether a path in a comment of `file` exists: a part of it, or in the same workspace the name alone. */
const isFile = (file: string, path: string): boolean =>
  (byName.get(basename(path)) ?? []).some((other) =>
    path.includes('/') ? `/${other}`.endsWith(`/${path}`) : workspaceOf(other) === workspaceOf(file),
  )

describe('names in comments', () => {
  // Regression: maps listed files that had been renamed or moved to another package.
  it('files that a comment names exist', () => {
    const missing = product.flatMap((file) =>
      commentsOf(file)
        .flatMap((comment) => namesIn(comment, pathInComment))
        .filter((path) => !isFile(file, path))
        .map((path) => `${file}: ${path}`),
    )
    assert.deepEqual(missing, [])
  })

  it('names of code that a comment has in backticks exist in the code', () => {
    const known = new Set([...files.map(stemOf), ...foreign])
    for (const inFile of names.values()) for (const name of inFile) known.add(name)
    const unknown = product.flatMap((file) =>
      commentsOf(file)
        .flatMap((comment) => namesIn(comment, nameInComment))
        .filter((name) => !known.has(name))
        .map((name) => `${file}: ${name}`),
    )
    assert.deepEqual(unknown, [])
  })

  it('names in maps are files of the workspace or names in the code of the folder', () => {
    const unknown = product.flatMap((file) =>
      mapsOf(file).flatMap((map) => {
        const known = new Set([
          ...product.filter((other) => workspaceOf(other) === workspaceOf(file)).map(stemOf),
          ...(folders.get(dirname(file)) ?? []).flatMap((other) => [...(names.get(other) ?? [])]),
        ])
        return namesIn(map, nameInMap)
          .filter((name) => !known.has(name))
          .map((name) => `${file}: ${name}`)
      }),
    )
    assert.deepEqual(unknown, [])
  })
})

/** Maximum number of files of a folder without a map. */
const maxUnmapped = 8

/** Folders without a map, with the reason why the names of the files are enough. */
const unmapped: Record<string, string> = {
  'packages/adapters/sqlite/migrations': 'one migration each',
  'packages/contracts/http': 'the schemas of one resource or field each',
  'packages/contracts/services': 'one service each',
  'packages/domain': 'rules that several subjects use, one each',
  'packages/kit': 'one mechanism each',
  'packages/mail': 'one format or rule of mail each',
  'packages/ports': 'one store or adapter each',
  'services/gateway/examples': 'the examples of one resource each',
  'services/gateway/pages': 'one page, or one part that pages use, each; pages.ts has the paths of the pages',
  'services/gateway/routes': 'one operation or resource each; routes.ts lists them',
  'services/gateway/steps': 'one step, or one part of steps, each; app.ts has the order of the steps',
}

/** A screen imports its parts, and a component is named by what it shows. */
const isDashboard = (folder: string): boolean => folder.startsWith('services/dashboard/src/')

describe('maps', () => {
  it(`a folder of more than ${maxUnmapped} files has a map in one of them, unless its names are enough`, () => {
    const withoutMap = [...folders]
      .filter(([folder, inside]) => inside.length > maxUnmapped && !isDashboard(folder))
      .filter(([, inside]) => !inside.some((file) => mapsOf(file).length > 0))
    assert.deepEqual(withoutMap.map(([folder]) => folder).toSorted(), Object.keys(unmapped))
  })

  // Regression: a map that named half of the files passed, so the files that were added later were in no map.
  it('a map names each other file of its folder', () => {
    const incomplete = product.flatMap((file) =>
      mapsOf(file).flatMap((map) => lacking(map, others(file)).map((name) => `${file}: ${name}`)),
    )
    assert.deepEqual(incomplete, [])
  })

  // Regression: the page named submit.ts, and the map was in intake.ts.
  it('the files that docs/architecture.md names for the maps of services contain them', () => {
    const [, list = ''] =
      /contains a map of its files:([^.]*(?:\.ts[^.]*)*)\./.exec(textOf('docs/architecture.md')) ?? []
    const named = [...list.matchAll(/`([\w/]+\.ts)`/g)].map(([, file = '']) => file)
    assert.ok(named.length > 6, `${named.length}`)
    assert.deepEqual(
      named.filter((file) => mapsOf(file).length === 0),
      [],
    )
  })
})
