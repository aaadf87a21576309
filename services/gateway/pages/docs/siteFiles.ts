import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import type { MadeDocuments, PlainFile } from '../../openapi/documents.ts'
import { contentOf } from '../../staticFile.ts'
import type { OpenapiDocument } from './apiDocument.ts'
import { assetsPath } from './assetsPath.ts'
import type { PageAssets } from './layout.ts'
import { preparedEntries } from './search.ts'
import { makeSite } from './site.ts'

/* The files of the documentation: pages, styles and scripts. */

const html = 'text/html; charset=utf-8'

/** Returns a file with the name by which clients recognize it. */
export const plainFile = (text: string, type: string): PlainFile => ({ type, plain: contentOf(Buffer.from(text)) })

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** Returns a file of `browser` under a name with a hash of its content. */
const assetOf = (name: string, more = ''): { path: string; file: PlainFile } => {
  const text = more + readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8')
  const extension = extname(name)
  const file = plainFile(text, types[extension] ?? '')
  const hash = file.plain.etag.replaceAll(/\W/g, '').slice(0, 10)
  return { path: `${assetsPath}${basename(name, extension)}-${hash}${extension}`, file }
}

/** The part of the dashboard's typeface that the pages need. */
const isFont = /inter-latin-wght-normal[\w-]*\.woff2$/

const fontFace = (font: string): string =>
  `@font-face { font-family: "Inter"; src: url("${font}") format("woff2"); font-weight: 100 900; font-display: optional; }\n`

export type SiteFilesOptions = { publicUrl: string; dashboard: readonly string[] }

/** Makes all files. @param options `dashboard`: paths of the files of the built dashboard */
export const siteFiles = (
  document: OpenapiDocument,
  { publicUrl, dashboard }: SiteFilesOptions,
): Omit<MadeDocuments, 'openapi'> => {
  const found = dashboard.find((path) => isFont.test(path))
  const font = found === undefined ? null : `/${found}`
  const styles = assetOf('docs.css', font === null ? '' : fontFace(font))
  const early = assetOf('early.js')
  const script = assetOf('docs.js')
  const assets: PageAssets = { styles: styles.path, early: early.path, script: script.path, font }
  const { pages, searchFrame, entries } = makeSite(document, { publicUrl, assets })
  const files = new Map([styles, early, script].map(({ path, file }) => [path, file]))
  for (const [path, markup] of pages) files.set(path, plainFile(markup, html))
  return { files, searchFrame, entries: preparedEntries(entries) }
}
