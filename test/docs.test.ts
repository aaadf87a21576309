import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { documentedCommands, grepPatterns, pipeline } from './kube/documentedCommands.ts'
import { listedMessages, warningsIn } from './support/logMessages.ts'
import { productCode } from './support/productCode.ts'
import { fragmentIn, replacedWord, replacedWordInNames, replacedWordInText, textsIn } from './support/wording.ts'

const root = join(import.meta.dirname, '..')

const otherFolders = new Set(['node_modules', '.git', 'data', 'dist'])

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return otherFolders.has(entry.name) ? [] : filesIn(path)
    return entry.isFile() ? [relative(root, path)] : []
  })

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const isText = (file: string): boolean =>
  /\.(tsx?|css|md|json|ya?ml|tpl|txt|proto|java|xml|cjs|py)$|file$/.test(file) && statSync(join(root, file)).size < 5e6

const files = filesIn(root).filter(isText)
const pages = files.filter((file) => file.endsWith('.md'))

/** Returns a page without code blocks, in which `[` and `#` have other meanings. */
const prose = (page: string): string =>
  read(page)
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/^ {4}.*$/gm, '')

/** Returns the anchor that GitHub derives from a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsIn = (page: string): string[] =>
  [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading))

const brokenLink = (page: string, link: string): string[] => {
  const [path = '', hash] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(root, target))) return [`${page}: ${link} does not exist`]
  return hash === undefined || anchorsIn(target).includes(hash) ? [] : [`${page}: ${link} has no such heading`]
}

const code = productCode()

/** The section on logs of docs/observability.md. */
const [, logs = ''] = read('docs/observability.md').split('\n## Logs\n')

/** Returns the log messages that a page searches for with grep, or quotes as "log message `…`". */
const logMessagesIn = (page: string): string[] => {
  const searched = documentedCommands(read(page)).flatMap((line) =>
    pipeline(line).flatMap((part) => grepPatterns(part) ?? []),
  )
  const quoted = prose(page).matchAll(/log message\s+`([^`]+)`/g)
  return [...searched.filter((text) => !text.startsWith('"')), ...[...quoted].map(([, text = '']) => text)]
}

/** The page that lists the words. */
const uncheckedWords = new Set(['docs/style.md'])

/** Folders whose TypeScript is checked. */
const checkedSources = ['packages', 'services', 'test', 'charts']

/**
 * Whether people read strings of a source, which is then searched as a whole. Words of servers are in
 * `mail/replies/*.ts`; the SQL of a migration is never edited.
 */
const hasUserTexts = (file: string): boolean =>
  /^(packages|services|charts)\//.test(file) &&
  !/\.(test|conformance)\.tsx?$|^packages\/mail\/replies\/|\/migrations\//.test(file)

describe('files', () => {
  it('no file contains merge conflict markers', () => {
    const marked = files.filter((file) => /^(<{7}|>{7}|\|{7}) /m.test(read(file)))
    assert.deepEqual(marked, [])
  })

  it('documents, the API reference, chart, manifests and protos contain none of the words that docs/style.md replaces', () => {
    const wrong = files
      .filter(
        (file) => /\.md$|^docs\/openapi\.json$|^(charts|k8s|tilt|protos)\//.test(file) && !uncheckedWords.has(file),
      )
      .flatMap((file) => {
        const isPage = file.endsWith('.md')
        const word = replacedWord(read(file)) ?? (isPage ? replacedWordInText(prose(file)) : null)
        return word === null ? [] : [`${file}: ${word}`]
      })
    assert.deepEqual(wrong, [])
  })

  it('comments, messages, texts for users and names in TypeScript contain none of the words that docs/style.md replaces', () => {
    const wrong = files
      .filter((file) => /\.tsx?$/.test(file) && checkedSources.some((folder) => file.startsWith(folder)))
      .flatMap((file) => {
        const found = textsIn(read(file), { allStrings: hasUserTexts(file) }).flatMap((text) => {
          const word = replacedWordInText(text, { isAboutDns: /\/(?:dns|domains)\//.test(file) })
          return word === null ? [] : [`${file}: ${word} in ${text.slice(0, 100)}`]
        })
        const word = hasUserTexts(file) ? (replacedWord(read(file)) ?? replacedWordInNames(read(file))) : null
        return word === null ? found : [...found, `${file}: ${word}`]
      })
    assert.deepEqual(wrong, [])
  })
})

describe('sources', () => {
  it('docstrings, descriptions of fields and test names begin with a verb or a noun', () => {
    const wrong = files
      .filter((file) => /\.tsx?$/.test(file) && checkedSources.some((folder) => file.startsWith(folder)))
      .flatMap((file) => {
        const found = fragmentIn(read(file))
        return found === null ? [] : [`${file}: ${found}`]
      })
    assert.deepEqual(wrong, [])
  })
})

describe('documents', () => {
  it('links lead to existing files and headings', () => {
    const broken = pages.flatMap((page) =>
      [...prose(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].flatMap(([, link = '']) =>
        brokenLink(page, link),
      ),
    )
    assert.deepEqual(broken, [])
  })

  // Regression: GitHub shows rows after an empty line as text.
  it('rows of tables follow the head of a table', () => {
    const isRow = (line = ''): boolean => line.startsWith('|')
    const strayRows = (page: string): string[] => {
      const lines = prose(page).split('\n')
      const first = lines.filter(
        (line, at) => isRow(line) && !isRow(lines[at - 1]) && !/^\|[-:| ]+$/.test(lines[at + 1] ?? ''),
      )
      return first.map((line) => `${page}: ${line}`)
    }
    assert.deepEqual(pages.flatMap(strayRows), [])
  })

  it('paths in documents exist', () => {
    // `x` is the placeholder in names such as `packages/ports/x.conformance.ts`.
    const inCode = /`((?:packages|services|test|charts|protos|k8s|tilt|docs)\/(?!\S*\bx\.)[\w./-]+)`/g
    const missing = pages
      .filter((page) => page !== 'CHANGELOG.md')
      .flatMap((page) =>
        [...prose(page).matchAll(inCode)]
          .map(([, path = '']) => path)
          .filter((path) => !existsSync(join(root, path)))
          .map((path) => `${page}: ${path}`),
      )
    assert.deepEqual(missing, [])
  })

  it('the files of docs/architecture.md and docs/internals contain the names that the pages locate in them', () => {
    const located = /((?:`[\w.]+`(?:, | and )?)+)(?: \([^)]*\))?,? in `([\w/-]+\.\w+)`/g
    const found = pages
      .filter((page) => page === 'docs/architecture.md' || page.startsWith('docs/internals/'))
      .flatMap((page) => [...prose(page).matchAll(located)])
      .flatMap(([, names = '', path = '']) =>
        [...names.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => ({ name, path })),
      )
    assert.ok(found.length > 60, `${found.length}`)
    const missing = found.filter(
      ({ name, path }) => !existsSync(join(root, path)) || !new RegExp(`\\b${name}\\b`).test(read(path)),
    )
    assert.deepEqual(missing, [])
  })

  // It had 11,800 words, so people searched it instead of reading it.
  it('docs/architecture.md stays a map of at most 4,000 words', () => {
    const words = read('docs/architecture.md').split(/\s+/).length
    assert.ok(words <= 4_000, `${words}`)
  })

  // Regression: a comment contained the text that a runbook searched for, and no process logged it.
  it('quoted log messages exist in the code', () => {
    const searches = pages.flatMap((page) => logMessagesIn(page).map((text) => ({ page, text })))
    assert.ok(searches.length > 10)
    const unknown = searches.filter(({ text }) => !code.includes(text))
    // A search in rendered manifests, not in logs.
    const variables = /^(POSTRIDER|KAFKA)_/
    assert.deepEqual(
      unknown.filter(({ text }) => !variables.test(text)),
      [],
    )
  })

  // Regression: 27 of 40 messages were in no page, so an operator who searched for one found nothing.
  it('docs/observability.md lists each message that a process logs as a warning or an error', () => {
    const listed = new Set(listedMessages(logs))
    const logged = warningsIn(code)
    assert.ok(logged.length > 60, `${logged.length}`)
    assert.deepEqual(
      logged.filter((message) => !listed.has(message)),
      [],
    )
  })

  it('docs/observability.md lists only log messages that are in the code', () => {
    const listed = listedMessages(logs)
    assert.ok(listed.length > 80, `${listed.length}`)
    assert.deepEqual(
      listed.filter((message) => !code.includes(`'${message}'`)),
      [],
    )
  })

  // Two branches that were merged had each described the same metrics.
  it('docs/observability.md describes each metric and each log message once', () => {
    const described = read('docs/observability.md')
      .split('\n')
      .flatMap((line) => [...(/^\| (`[^|]*) \|/.exec(line)?.[1] ?? '').matchAll(/`([a-z][^`{]*)`/gi)])
      .flatMap(([, name = '']) => (/^postrider_|[ .]/.test(name) ? [name] : []))
    assert.ok(described.length > 50, `${described.length}`)
    assert.deepEqual(
      described.filter((name, index) => described.indexOf(name) !== index),
      [],
    )
  })

  it('docs/config.md lists each variable once', () => {
    const variables = [...read('docs/config.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name)
    assert.ok(variables.length > 60, `${variables.length}`)
    assert.deepEqual(
      variables.filter((name, index) => variables.indexOf(name) !== index),
      [],
    )
  })

  it('all documents are listed in docs/README.md', () => {
    const index = read('docs/README.md') + read('docs/operations/README.md')
    const unlisted = pages
      .filter((page) => page.startsWith('docs/') && page !== 'docs/README.md' && !page.startsWith('docs/runbooks/P'))
      .filter(
        (page) => !index.includes(`(${relative('docs', page)})`) && !index.includes(`(${page.split('/').at(-1)})`),
      )
    assert.deepEqual(unlisted, [])
  })
})
