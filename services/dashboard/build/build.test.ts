import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { options } from './options.ts'

type Output = Rolldown.RolldownOutput['output']
type Chunk = Rolldown.OutputChunk

/** Most kilobytes of compressed script that opening a screen may load. */
const mostScriptKb = 200

/** Builds the dashboard in memory. */
const built = async (): Promise<Output> => {
  const result = await build({ ...options, mode: 'production', build: { ...options.build, write: false } })
  const [first] = [result].flat()
  if (!first || !('output' in first)) throw new Error('the build has no output')
  return first.output
}

describe('build of the dashboard', () => {
  let output: Output
  let chunks: ReadonlyMap<string, Chunk>
  before(async () => {
    output = await built()
    chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])))
  })

  /** Returns a chunk with all that it imports. */
  const withImports = (name: string, found = new Set<string>()): ReadonlySet<string> => {
    if (found.has(name)) return found
    found.add(name)
    for (const next of chunks.get(name)?.imports ?? []) withImports(next, found)
    return found
  }

  const compressedKb = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + gzipSync(chunks.get(name)?.code ?? '').length, 0) / 1_000

  it(`loads at most ${mostScriptKb} kB of compressed script for each screen`, () => {
    const entry = [...chunks.values()].find((chunk) => chunk.isEntry)
    assert.ok(entry)
    const start = withImports(entry.fileName)
    const frame = withImports(entry.dynamicImports.find((name) => name.includes('/Shell-')) ?? assert.fail('no frame'))
    const screens = entry.dynamicImports.map((screen) => {
      // The screens behind the log-in are shown in the frame.
      const isInFrame = !/\/(LogIn|SignUp|Forgot)Screen-/.test(screen)
      const kb = compressedKb(new Set([...start, ...(isInFrame ? frame : []), ...withImports(screen)]))
      return { screen: screen.replace(/-[\w-]{8}\.js$/, ''), kb: Math.round(kb) }
    })
    assert.ok(screens.length > 0)
    assert.deepEqual(
      screens.filter(({ kb }) => kb > mostScriptKb),
      [],
    )
  })

  it('has an HTML file without inline scripts and styles, which names no other host', () => {
    const html = output.find((file) => file.fileName === 'index.html')
    const text = html?.type === 'asset' ? String(html.source) : ''
    assert.match(text, /<script type="module" crossorigin src="\/assets\//)
    assert.doesNotMatch(text, /<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle=|\son\w+=|https?:/)
  })

  it('has style sheets that load from this host alone', () => {
    const styles = output.flatMap((file) =>
      file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : [],
    )
    const loaded = styles.flatMap((text) => [...text.matchAll(/url\(([^)]*)\)|@import\s+([^;]*)/g)])
    assert.ok(loaded.length > 0)
    for (const [, url = '', other = ''] of loaded) assert.match(url + other, /^"?\/assets\//)
  })
})
