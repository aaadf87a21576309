import assert from 'node:assert/strict'
import { basename, dirname } from 'node:path'
import { mapsIn } from '../support/maps.ts'
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

/** Names of the platform that the code does not contain. */
const foreign = new Set(['TCPSocketWrap', 'adoptedStyleSheets'])

const pathInComment = /(?<![\w.*/{-])((?:[\w-]+\/)*[\w-]+(?:\.\w+)*\.tsx?)\b/g
const nameInComment = /`([A-Za-z]+[A-Z]\w*)(?:\(\))?`/g
/** A name in a map, of a file or of a function. */
const nameInMap = /(?<![\w.`])[a-z]+[A-Z]\w*\b/g

const namesIn = (comment: string, pattern: RegExp): string[] =>
  [...comment.matchAll(pattern)].map(([all, name]) => name ?? all)

const namesOf = (code: string): string[] => withoutComments(code).match(/[A-Za-z]\w+/g) ?? []

/** Returns whether a comment of `file` names an existing file: by a part of its path or, in its workspace, by its name. */
const isFile = (file: string, path: string): boolean =>
  files.some((other) =>
    path.includes('/')
      ? other === path || other.endsWith(`/${path}`)
      : basename(other) === path && workspaceOf(other) === workspaceOf(file),
  )

describe('names in comments', () => {
  // Regression: maps listed files that had been renamed or moved to another package.
  it('files that a comment names exist', () => {
    const missing = product.flatMap((file) =>
      commentsIn(textOf(file))
        .flatMap((comment) => namesIn(comment, pathInComment))
        .filter((path) => !isFile(file, path))
        .map((path) => `${file}: ${path}`),
    )
    assert.deepEqual(missing, [])
  })

  it('names of code that a comment has in backticks exist in the code', () => {
    const known = new Set([...product.flatMap((file) => namesOf(textOf(file))), ...files.map(stemOf), ...foreign])
    const unknown = product.flatMap((file) =>
      commentsIn(textOf(file))
        .flatMap((comment) => namesIn(comment, nameInComment))
        .filter((name) => !known.has(name))
        .map((name) => `${file}: ${name}`),
    )
    assert.deepEqual(unknown, [])
  })

  it('names in maps are files of the workspace or names in the code of the folder', () => {
    const unknown = product.flatMap((file) =>
      mapsIn(textOf(file), others(file)).flatMap((map) => {
        const known = new Set([
          ...product.filter((other) => workspaceOf(other) === workspaceOf(file)).map(stemOf),
          ...(folders.get(dirname(file)) ?? []).flatMap((other) => namesOf(textOf(other))),
        ])
        return namesIn(map, nameInMap)
          .filter((name) => !known.has(name))
          .map((name) => `${file}: ${name}`)
      }),
    )
    assert.deepEqual(unknown, [])
  })
})

describe('maps', () => {
  // Regression: the page named submit.ts, and the map was in intake.ts.
  it('the files that docs/architecture.md names for the maps of services contain them', () => {
    const [, list = ''] =
      /contains a map of its files:([^.]*(?:\.ts[^.]*)*)\./.exec(textOf('docs/architecture.md')) ?? []
    const named = [...list.matchAll(/`([\w/]+\.ts)`/g)].map(([, file = '']) => file)
    assert.ok(named.length > 6, `${named.length}`)
    assert.deepEqual(
      named.filter((file) => mapsIn(textOf(file), others(file)).length === 0),
      [],
    )
  })
})
