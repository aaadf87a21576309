import { posix } from 'node:path'
import { faultCodes, problemType } from '@postrider/kit/fault.ts'
import { type Area, areaPath } from './apiDocument.ts'
import { type Guide, guidePath } from './guides.ts'
import type { MarkdownOptions, Section } from './markdown.ts'

/* How texts lead to other pages: links of files, and codes and operations that a text names. */

/** Returns the anchor that GitHub derives from a heading. */
const githubAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** A page of a file, with the sections that its links may name. */
export type LinkedPage = { guide: Guide; sections: readonly Pick<Section, 'title' | 'id'>[] }

/** Files that are not pages of this site, by their path on this service. */
const served: Readonly<Record<string, string>> = { 'openapi.json': '/api/v1/openapi.json' }

/**
 * Returns what the links of a file lead to. A file that is not a page of this site is only in the repository: no link.
 */
export const linksFrom =
  (pages: readonly LinkedPage[]) =>
  (file: string): Required<Pick<MarkdownOptions, 'link' | 'label'>> => {
    const find = (target: string) => {
      const [path = '', hash] = target.split('#')
      const wanted = path === '' ? file : posix.join(posix.dirname(file), path)
      const page = pages.find(({ guide }) => guide.file === wanted)
      return { wanted, page, section: page?.sections.find(({ title }) => hash === githubAnchor(title)) }
    }
    return {
      link: (target) => {
        if (/^https?:/.test(target)) return target
        const { wanted, page, section } = find(target)
        if (!page) return served[wanted] ?? null
        const fragment = section === undefined ? '' : `#${section.id}`
        return wanted === file && fragment !== '' ? fragment : guidePath(page.guide) + fragment
      },
      // In the repository a link often shows the name of the file, which the site does not have.
      label: (written, target) => {
        if (!/\.md$/.test(written)) return written
        const { page, section } = find(target)
        return section?.title ?? page?.sections[0]?.title ?? `\`${written}\``
      },
    }
  }

const operation = /^(GET|POST|PUT|PATCH|DELETE) (\/[^\s?]*)/

/** A path without the prefix of the API and without the names of parameters. */
const shape = (path: string): string => path.replace(/^\/api\/v1/, '').replaceAll(/\{\w*\}/g, '{}')

/** Returns the address of what a text in backticks names: an error code, or an operation such as `POST /emails`. */
export const codeLinks = (areas: readonly Area[]): NonNullable<MarkdownOptions['codeLink']> => {
  const targets = new Map<string, string>(faultCodes.map((code) => [code, problemType(code)]))
  for (const area of areas)
    for (const { method, path, operation } of area.listed)
      targets.set(`${method} ${shape(path)}`, `${areaPath(area)}#${operation.operationId}`)
  return (code) => {
    const [, method, path] = operation.exec(code) ?? []
    return targets.get(path === undefined ? code : `${method} ${shape(path)}`) ?? null
  }
}
