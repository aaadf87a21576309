import assert from 'node:assert/strict'
import { unusedExports } from '../support/exports.ts'
import { functionsIn } from '../support/functions.ts'
import { filesIn, importedFile, importsOf, isGenerated, isTest, sources, testSupport, textOf } from './sources.ts'

/** Maximum length of a function in docs/style.md. */
const maxFunctionLines = 80

/** The build puts these modules in place of modules of libraries. */
const replacing = /^services\/dashboard\/src\/app\/replaced\//

/**
 * A docstring that documents nothing: another comment, an import, the end of a block or an empty line follows it. The
 * header of a file is a plain comment.
 */
const danglingDocstring =
  /^[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\/(?=[ \t]*\n(?:[ \t]*\n|[ \t]*(?:\/\*|\/\/|import\b|[})\]]))|\s*$(?![\s\S]))/m

const docstring = /^[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\//gm
const joinedTag = /[^\s*] @(?:param|returns|throws)\b/

/** Returns whether a tag follows other text on its line, in a docstring of several lines. */
const hasJoinedTag = (text: string): boolean =>
  [...text.matchAll(docstring)].some(([found]) => found.includes('\n') && joinedTag.test(found))

describe('sources', () => {
  it('only main files and the command line read the environment, and telemetry.ts, which runs before them', () => {
    const readers = sources.filter((file) => textOf(file).includes('process.env'))
    const others = ['packages/kit/telemetry.ts', 'services/cli/bin.ts']
    const wrong = readers.filter((file) => !file.endsWith('/main.ts') && !others.includes(file))
    assert.deepEqual(wrong, [])
  })

  it('every main file imports tracing first', () => {
    const mains = sources.filter((file) => file.endsWith('/main.ts'))
    const wrong = mains.filter((file) => importsOf(file)[0] !== '@postrider/kit/telemetry.ts')
    assert.deepEqual(wrong, [])
  })

  it(`no function has more than ${maxFunctionLines} lines`, () => {
    const product = sources.filter((file) => !testSupport.test(file) && !isGenerated(file))
    const candidates = product.filter((file) => textOf(file).split('\n').length > maxFunctionLines)
    const long = candidates.flatMap((file) =>
      functionsIn(textOf(file), file).flatMap(({ line, lines }) =>
        lines > maxFunctionLines ? [`${file}:${line} begins a function of ${lines} lines`] : [],
      ),
    )
    assert.deepEqual(long, [])
  })

  // The dashboard is one page in a tab, whose state a module may have.
  it('no module has state: it declares no variable with let', () => {
    const product = sources.filter((file) => !isTest(file) && !file.startsWith('services/dashboard/src/'))
    const found = product.filter((file) => /^(export )?let /m.test(textOf(file)))
    assert.deepEqual(found, [])
  })

  it('every exported value is imported by another file, and used by product code', () => {
    const isProduct = (file: string) => !isTest(file) && !testSupport.test(file) && !file.startsWith('test/')
    const read = (file: string) => ({ file, text: textOf(file) })
    const files = ['packages', 'services', 'charts', 'test'].flatMap(filesIn).filter((file) => !isGenerated(file))
    const unused = unusedExports({
      product: files.filter(isProduct).map(read),
      tests: files.filter((file) => !isProduct(file)).map(read),
      fileOf: importedFile,
    })
    assert.deepEqual(
      unused.filter((one) => !replacing.test(one)),
      [],
    )
  })

  it('every docstring documents what follows it', () => {
    const files = ['packages', 'services', 'charts', 'test'].flatMap(filesIn).filter((file) => !isGenerated(file))
    assert.deepEqual(
      files.filter((file) => danglingDocstring.test(textOf(file))),
      [],
    )
  })

  for (const [text, isDangling] of [
    ['/** A header. */\n\nconst a = 1', true],
    ['/** One. */\n/** Another. */\nconst a = 1', true],
    ['const a = 1\n\n/** The end. */\n', true],
    ['/**\n * A value.\n */\nconst a = 1', false],
    ["/* A header. */\n\nconst files = '**/*.ts'", false],
  ] as const)
    it(`the search for docstrings of nothing reads ${JSON.stringify(text)}`, () =>
      assert.equal(danglingDocstring.test(text), isDangling))

  it('in a docstring of several lines every tag begins a line', () => {
    const files = ['packages', 'services', 'charts', 'test'].flatMap(filesIn).filter((file) => !isGenerated(file))
    assert.deepEqual(
      files.filter((file) => hasJoinedTag(textOf(file))),
      [],
    )
  })

  for (const [text, isJoined] of [
    ['/**\n * Waits. @returns how long\n */\nconst a = 1', true],
    ['/** Waits. @param a one\n * @returns how long */\nconst a = 1', true],
    ['/**\n * Waits.\n * @param a one\n * @returns how long\n */\nconst a = 1', false],
    ['/** Waits. @param a one @returns how long */\nconst a = 1', false],
  ] as const)
    it(`the search for joined tags reads ${JSON.stringify(text)}`, () => assert.equal(hasJoinedTag(text), isJoined))

  it('comments have at most 120 columns, as code has', () => {
    const files = ['packages', 'services', 'charts', 'test'].flatMap(filesIn).filter((file) => !isGenerated(file))
    // Rows of a table and directives of tools are one line.
    const isLong = (line: string): boolean => line.length > 120 && /^ *(\/\/(?! biome-)|\/?\*(?! \|))/.test(line)
    assert.deepEqual(
      files.filter((file) => textOf(file).split('\n').some(isLong)),
      [],
    )
  })

  // The detail of a Fault is a text for the caller, and a bug has none. Any other thrown value is a bug.
  it('only asFault makes a Fault internal', () => {
    const found = sources.filter((file) => !isTest(file) && /new Fault\(\s*'internal'/.test(textOf(file)))
    assert.deepEqual(found, ['packages/kit/fault.ts'])
  })

  it('Fault is the only class', () => {
    const found = sources.filter((file) => /^(export )?(abstract )?class /m.test(textOf(file)))
    assert.deepEqual(found, ['packages/kit/fault.ts'])
  })
})
