import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { options } from './options.ts'

type Output = Rolldown.RolldownOutput['output']
type Chunk = Rolldown.OutputChunk

/** Maximum number of kilobytes of compressed script that opening a screen may load. */
const maxScriptKb = 200
/**
 * Maximum number of scripts of the overview: each costs a browser with an empty cache some milliseconds before the
 * first chart.
 */
const maxScripts = 8

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

  const entry = (): Chunk => [...chunks.values()].find((chunk) => chunk.isEntry) ?? assert.fail('no entry')

  const named = (name: string): Chunk =>
    [...chunks.values()].find((chunk) => chunk.fileName.startsWith(`assets/${name}-`)) ?? assert.fail(`no ${name}`)

  const html = (): string => {
    const file = output.find(({ fileName }) => fileName === 'index.html')
    return file?.type === 'asset' ? String(file.source) : assert.fail('no HTML file')
  }

  /** Compressed bytes by chunk: most chunks belong to several screens. */
  const sizes = new Map<string, number>()
  const compressedBytes = (name: string): number => {
    const bytes = sizes.get(name) ?? gzipSync(chunks.get(name)?.code ?? '').length
    sizes.set(name, bytes)
    return bytes
  }

  const compressedKb = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + compressedBytes(name), 0) / 1_000

  it(`loads at most ${maxScriptKb} kB of compressed script for each screen`, () => {
    const start = withImports(entry().fileName)
    const frame = withImports(named('frame').fileName)
    const screens = entry().dynamicImports.map((screen) => {
      // The screens behind the login are shown in the frame.
      const isInFrame = !/\/(LogIn|SignUp|Forgot)Screen-/.test(screen)
      const kb = compressedKb(new Set([...start, ...(isInFrame ? frame : []), ...withImports(screen)]))
      return { screen: screen.replace(/-[\w-]{8}\.js$/, ''), kb: Math.round(kb) }
    })
    assert.ok(screens.length > 0)
    assert.deepEqual(
      screens.filter(({ kb }) => kb > maxScriptKb),
      [],
    )
  })

  it(`loads the overview in at most ${maxScripts} scripts`, () => {
    const names = ['OverviewScreen', 'Plot', 'frame'].flatMap((name) => [...withImports(named(name).fileName)])
    const scripts = new Set([...withImports(entry().fileName), ...names])
    assert.ok(scripts.size <= maxScripts, [...scripts].join(' '))
  })

  it('begins with a small script that needs no other', () => {
    const first = named('first')
    assert.deepEqual(first.imports, [])
    assert.ok(compressedKb([first.fileName]) < 4, `${compressedKb([first.fileName])} kB`)
    const scripts = [...html().matchAll(/<script[^>]*src="\/([^"]*)"/g)].map(([, name]) => name)
    assert.deepEqual(scripts, [first.fileName, entry().fileName])
  })

  it('has an HTML file without inline scripts and styles, which names no other host', () => {
    assert.doesNotMatch(html(), /<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle=|\son\w+=|https?:/)
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
