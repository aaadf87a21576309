import { faultTitle, httpStatus } from '@postrider/kit/fault.ts'
import { type Html, html } from '../html.ts'
import {
  type Area,
  areaPath,
  areasOf,
  exampleIds,
  type Listed,
  type OpenapiDocument,
  objectAnchor,
  objectsPath,
  type Schema,
} from './apiDocument.ts'
import { explanations } from './explanations.ts'
import { fieldsTable } from './fields.ts'
import { type Guide, guideGroups, guidePath, readGuide, withAddress } from './guides.ts'
import { homePage } from './home.ts'
import { layout, type Navigation, type Page, type PageAssets } from './layout.ts'
import { codeLinks, linksFrom } from './links.ts'
import { heading, type MarkdownOptions, markdown, plainText, type Section, sectionsOf } from './markdown.ts'
import { type OperationsOptions, operationSection } from './operations.ts'
import { problemPages } from './problemPages.ts'
import type { SearchEntry } from './search.ts'

/**
 * All pages of the documentation, made from the OpenAPI document, the files of `docs` and the table of errors:
 *
 *     /docs                      home.ts
 *     /docs/<guide>              guides.ts, markdown.ts, links.ts
 *     /docs/reference/<area>     operations.ts, fields.ts, programs.ts, apiDocument.ts
 *     /docs/reference/objects    below
 *     /docs/search               search.ts, docsPages.ts
 *     /problems/<code>           problemPages.ts, explanations.ts
 *
 * layout.ts is the frame of each, and `browser` has their styles and script, below the path of assetsPath.ts. A worker
 * makes them once with siteFiles.ts (openapi/documentsWorker.ts), openapi/documents.ts compresses each at its first
 * request, and docsPages.ts handles requests.
 */
export type Site = {
  /** Markup by path. */
  pages: ReadonlyMap<string, string>
  /** The markup before and after the content of the page of results. */
  searchFrame: readonly [before: string, after: string]
  entries: readonly SearchEntry[]
}

export type SiteOptions = { publicUrl: string; assets: PageAssets }

type GuidePage = { guide: Guide; source: string; sections: readonly Section[] }

const allGuides = guideGroups.flatMap(({ guides }) => guides)

const headingOf = (level: 1 | 2 | 3, title: string, id: string): Html =>
  level === 1 ? html`<h1 id="${id}">${title}</h1>` : heading(level, title, id)

const guidePage = ({ guide, sections }: GuidePage): Page => {
  const content = html`${sections.map(
    ({ level, title, id, content }) => html`${headingOf(level, title, id)}\n${content}`,
  )}`
  const contents = sections.flatMap(({ level, title, id }) => (level === 2 ? [{ level, title, id }] : []))
  const title = sections[0]?.title ?? guide.label
  return { path: guidePath(guide), title, about: guide.about, content, contents }
}

const areaPage = (area: Area, options: OperationsOptions): Page => ({
  path: areaPath(area),
  title: area.name,
  about: `API reference: ${area.listed.map(({ operation }) => operation.summary).join(', ')}.`,
  content: html`<p class="above">API reference</p>
<h1>${area.name}</h1>
${area.listed.map((listed) => operationSection(listed, options))}`,
  isWide: true,
})

const objectsPage = (schemas: readonly (readonly [string, Schema])[], texts: MarkdownOptions): Page => ({
  path: objectsPath,
  title: 'Objects',
  about: 'Every object of requests and responses with its fields.',
  content: html`<p class="above">API reference</p>
<h1>Objects</h1>
${schemas.map(
  ([name, schema]) => html`<section class="object" aria-labelledby="${objectAnchor(name)}">
${heading(2, name, objectAnchor(name))}
${markdown(schema.description ?? '', texts)}
${fieldsTable(schema, texts)}
</section>
`,
)}`,
})

const navigationOf = (areas: readonly Area[]): Navigation => [
  ...guideGroups.map(({ title, guides }, index) => ({
    title,
    entries: [
      ...(index === 0 ? [{ label: 'Overview', path: '/docs' }] : []),
      ...guides.map((guide) => ({ label: guide.label, path: guidePath(guide) })),
    ],
  })),
  {
    title: 'API reference',
    entries: [
      ...areas.map((area) => ({
        label: area.name,
        path: areaPath(area),
        parts: area.listed.map(({ operation }) => ({ label: operation.summary, id: operation.operationId })),
      })),
      { label: 'Objects', path: objectsPath },
    ],
  },
]

const fieldNames = (schema: Schema | undefined, { components }: OpenapiDocument): string => {
  const name = schema?.$ref?.split('/').at(-1)
  const { properties = {} } = (name === undefined ? schema : components.schemas[name]) ?? {}
  return Object.keys(properties).join(' ')
}

const operationEntry = (area: Area, { method, path, operation }: Listed, document: OpenapiDocument): SearchEntry => ({
  url: `${areaPath(area)}#${operation.operationId}`,
  title: operation.summary,
  place: `${method} ${path}`,
  text: plainText(operation.description ?? ''),
  names: `${operation.operationId} ${area.name} ${fieldNames(operation.requestBody?.content['application/json']?.schema, document)}`,
})

const entriesOf = (document: OpenapiDocument, areas: readonly Area[], guides: readonly GuidePage[]): SearchEntry[] => [
  ...guides.flatMap(({ guide, sections }) =>
    sections.map(({ level, title, id, text }) => ({
      url: level === 1 ? guidePath(guide) : `${guidePath(guide)}#${id}`,
      title,
      place: level === 1 ? 'Guide' : guide.label,
      text,
      names: level === 1 ? `${guide.label} ${guide.about}` : '',
    })),
  ),
  ...areas.flatMap((area) => area.listed.map((listed) => operationEntry(area, listed, document))),
  ...Object.entries(document.components.schemas).map(([name, schema]) => ({
    url: `${objectsPath}#${objectAnchor(name)}`,
    title: name,
    place: 'Object',
    text: plainText(schema.description ?? '') || `Fields: ${Object.keys(schema.properties ?? {}).join(', ')}.`,
    names: Object.keys(schema.properties ?? {}).join(' '),
  })),
]

const problemEntries = (): SearchEntry[] =>
  (Object.keys(explanations) as (keyof typeof explanations)[]).map((code) => ({
    url: `/problems/${code.replaceAll('_', '-')}`,
    title: faultTitle(code),
    place: `Error ${httpStatus(code)}`,
    text: plainText(`${explanations[code].what} ${explanations[code].help}`),
    names: code,
  }))

/** A position in the markup of the page of results. */
const resultsMark = 'RESULTS'

/** Makes all pages. */
export const makeSite = (document: OpenapiDocument, { publicUrl, assets }: SiteOptions): Site => {
  const areas = areasOf(document)
  const sources = allGuides.map((guide) => ({ guide, source: readGuide(guide) }))
  const linksOf = linksFrom(sources.map(({ guide, source }) => ({ guide, sections: sectionsOf(source) })))
  const texts: MarkdownOptions = { codeLink: codeLinks(areas), program: withAddress(publicUrl) }
  const guides = sources.map(({ guide, source }): GuidePage => {
    const sections = sectionsOf(source, { ...texts, ...linksOf(guide.file) })
    return { guide, source, sections }
  })
  const options: OperationsOptions = {
    document,
    publicUrl,
    texts,
    pathOf: exampleIds(areas.flatMap(({ listed }) => listed)),
  }
  const pages: Page[] = [
    homePage(document, areas, texts),
    ...guides.map(guidePage),
    ...areas.map((area) => areaPage(area, options)),
    objectsPage(Object.entries(document.components.schemas), texts),
    ...problemPages(areas, texts),
  ]
  const frame = { navigation: navigationOf(areas), assets }
  const search = { path: '/docs/search', title: 'Search', about: 'Search the documentation.' }
  const [before = '', after = ''] = layout({ ...search, content: html`${resultsMark}` }, frame).split(resultsMark)
  return {
    pages: new Map(pages.map((page) => [page.path, layout(page, frame)])),
    searchFrame: [before, after],
    entries: [...entriesOf(document, areas, guides), ...problemEntries()],
  }
}
