import { Fault, faultCodes, faultTitle, httpStatus, problemType } from '@postrider/kit/fault.ts'
import { nextSlice } from '@postrider/kit/slices.ts'
import type { Context, RouteDeps, Step } from '../../deps.ts'
import type { Documents } from '../../openapi/documents.ts'
import { compared, foreverCached, sendFile } from '../../staticFile.ts'
import { slicesFor } from '../../steps/scheduleRequests.ts'
import { policy, unusedFeatures } from '../dashboard.ts'
import { html, sendJson } from '../html.ts'
import { assetsPath } from './assetsPath.ts'
import { explanations } from './explanations.ts'
import { queryLimits, type SearchResult } from './search.ts'

type ReadDocuments = () => Promise<Documents>

type DocsDeps = Pick<RouteDeps, 'documents' | 'slices'>

/** Characters of a query string that are read: `q=` and the longest query, of which each character can need nine. */
const maxQueryString = 2 + 9 * queryLimits.characters

const acceptsPages = (context: Context): boolean => context.get('accept').includes('text/html')

const setPolicy = (context: Context): void =>
  context.set({
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': unusedFeatures,
  })

/** Sends the page of the path. */
const pageStep = (read: ReadDocuments): Step =>
  async function docsPage(context) {
    const file = await (await read()).files.get(context.path)?.()
    if (!file) throw new Fault('not_found', 'The documentation has no such page. /docs lists all pages.')
    setPolicy(context)
    sendFile(context, file, compared)
  }

/** Sends a file whose name has a hash of its content, so a copy never has to be compared. */
const assetStep = (read: ReadDocuments): Step =>
  async function docsAsset(context) {
    const file = await (await read()).files.get(context.path)?.()
    if (!file) throw new Fault('not_found', 'This file does not exist. Reload the page: it may be of another release.')
    sendFile(context, file, foreverCached)
  }

/** `/docs/search?q=`: the results as a page, or as JSON for the list below the search field. */
const searchStep = ({ documents, slices }: DocsDeps): Step =>
  async function docsSearch(context) {
    const { search, searchFrame } = await documents()
    const given = new URLSearchParams(context.querystring.slice(0, maxQueryString)).get('q') ?? ''
    const query = given.slice(0, queryLimits.characters)
    context.vary('Accept')
    // A search takes up to a millisecond, and unauthenticated clients send many at a time.
    await nextSlice(slicesFor({ slices }, context))
    if (!acceptsPages(context)) {
      sendJson(context, { query, results: search(query, maxResults.list) })
      return
    }
    setPolicy(context)
    context.type = 'text/html; charset=utf-8'
    context.body = searchFrame.join(searchContent(query, search(query, maxResults.page)))
  }

/** `/problems/<code-with-dashes>`: what an error means and what to do, as a page or as JSON. */
const problemStep = (read: ReadDocuments): Step => {
  const page = pageStep(read)
  return async function problemPage(context, next) {
    const code = faultCodes.find((one) => problemType(one) === context.path)
    if (!code) throw new Fault('not_found', 'There is no error with this name.')
    context.vary('Accept')
    if (acceptsPages(context)) return page(context, next)
    // The library behind it makes the start of a process longer, and few processes need it.
    const { plainText } = await import('./markdown.ts')
    const [what, help] = [explanations[code].what, explanations[code].help].map(plainText)
    sendJson(context, { type: problemType(code), title: faultTitle(code), status: httpStatus(code), code, what, help })
  }
}

/** Returns the steps of the documentation by path. If several paths match a request, the last one handles it. */
export const docsPages = (deps: DocsDeps): { path: string; step: Step }[] => {
  const read = deps.documents
  const page = pageStep(read)
  return [
    { path: '/docs', step: page },
    { path: '/docs/:guide', step: page },
    { path: '/docs/reference/:area', step: page },
    { path: '/docs/search', step: searchStep(deps) },
    { path: `${assetsPath}:name`, step: assetStep(read) },
    { path: '/problems/:code', step: problemStep(read) },
  ]
}

/** Maximum number of results of a page, and of the list below the search field. */
const maxResults = { page: 30, list: 8 } as const

/** Returns the content of the page of results, for browsers without scripts and for links. */
const searchContent = (query: string, results: readonly SearchResult[]): string => {
  const shown = query.slice(0, queryLimits.characters)
  const list = html`<ol class="results">${results.map(
    ({ url, title, place, excerpt }) =>
      html`<li><a href="${url}"><strong>${title}</strong> <span>${place}</span></a><p>${excerpt}</p></li>\n`,
  )}</ol>`
  const count = results.length === maxResults.page ? `The first ${results.length}` : String(results.length)
  const outcome =
    shown.trim() === ''
      ? html`<p class="lead">Enter words, a path such as <code>/emails</code>, a field or an error code here.</p>`
      : results.length === 0
        ? html`<p class="lead">Nothing has all words of “${shown}”. Use fewer words, or the beginning of one.</p>`
        : html`<p class="lead">${count} for “${shown}”</p>${list}`
  return html`<h1>Search</h1>
<form class="again" action="/docs/search"><label for="again">Words</label>
<input id="again" type="search" name="q" value="${shown}" maxlength="${queryLimits.characters}"><button>Search</button></form>
${outcome}`.markup
}
