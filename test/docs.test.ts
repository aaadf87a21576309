import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { greps, piped, typedLines } from './kube/typedLines.ts'

const root = join(import.meta.dirname, '..')

const skipped = new Set(['node_modules', '.git', 'data'])

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesIn(path)
    return entry.isFile() ? [relative(root, path)] : []
  })

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const isText = (file: string): boolean =>
  /\.(ts|md|json|ya?ml|tpl|txt|proto|java|xml|cjs|py)$|file$/.test(file) && statSync(join(root, file)).size < 5e6

const files = filesIn(root).filter(isText)
const pages = files.filter((file) => file.endsWith('.md'))

/** Markdown without code, in which `[` and `#` have other meanings. */
const prose = (page: string): string =>
  read(page)
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/^ {4}.*$/gm, '')

/** The anchor that GitHub derives from a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsIn = (page: string): string[] =>
  [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading))

const linkFault = (page: string, link: string): string[] => {
  const [path = '', hash] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(root, target))) return [`${page}: ${link} does not exist`]
  return hash === undefined || anchorsIn(target).includes(hash) ? [] : [`${page}: ${link} has no such heading`]
}

/** Message texts of the programs. */
const sources = globSync('{packages,services}/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  .map(read)
  .join('\n')

/** Log messages that a page searches for, or quotes as "log message `…`". */
const logMessagesIn = (page: string): string[] => {
  const searched = typedLines(read(page)).flatMap((line) => piped(line).flatMap((part) => greps(part) ?? []))
  const quoted = prose(page).matchAll(/log message\s+`([^`]+)`/g)
  return [...searched.filter((text) => !text.startsWith('"')), ...[...quoted].map(([, text = '']) => text)]
}

/** Words that docs/style.md replaces; that page lists them. */
const replaced = /\b(whoever|whatever|nobody|somebody|anybody|anew|in vain|for ever)\b/i

describe('documents', () => {
  it('contain no merge conflict markers, nor does any other file', () => {
    const marked = files.filter((file) => /^(<{7}|>{7}|\|{7}) /m.test(read(file)))
    assert.deepEqual(marked, [])
  })

  it('link to files and headings that exist', () => {
    const faults = pages.flatMap((page) =>
      [...prose(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].flatMap(([, link = '']) =>
        linkFault(page, link),
      ),
    )
    assert.deepEqual(faults, [])
  })

  it('name paths that exist', () => {
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

  it('quote log messages that the programs write', () => {
    const searches = pages.flatMap((page) => logMessagesIn(page).map((text) => ({ page, text })))
    assert.ok(searches.length > 10)
    const unknown = searches.filter(({ text }) => !sources.includes(text))
    // A search in rendered manifests, not in logs.
    const variables = /^(POSTRIDER|KAFKA)_/
    assert.deepEqual(
      unknown.filter(({ text }) => !variables.test(text)),
      [],
    )
  })

  it('use the words of docs/style.md, and so do the chart, manifests and protos', () => {
    const notOurs = /^(docs\/style\.md|docs\/config\.md|docs\/openapi\.json|charts\/postrider\/values\.schema\.json)$/
    const wrong = files
      .filter((file) => /\.md$|^(charts|k8s|tilt|protos)\//.test(file) && !notOurs.test(file))
      .flatMap((file) => {
        const [word] = replaced.exec(read(file)) ?? []
        return word === undefined ? [] : [`${file}: ${word}`]
      })
    assert.deepEqual(wrong, [])
  })

  it('are all listed in docs/README.md', () => {
    const index = read('docs/README.md') + read('docs/operations/README.md')
    const unlisted = pages
      .filter((page) => page.startsWith('docs/') && page !== 'docs/README.md' && !page.startsWith('docs/runbooks/P'))
      .filter(
        (page) => !index.includes(`(${relative('docs', page)})`) && !index.includes(`(${page.split('/').at(-1)})`),
      )
    assert.deepEqual(unlisted, [])
  })
})
