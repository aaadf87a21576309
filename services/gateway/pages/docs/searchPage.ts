import { html } from '../html.ts'
import { queryLimits, type SearchResult } from './search.ts'

/** Maximum number of results of a page, and of the list below the search field. */
export const maxResults = { page: 30, list: 8 } as const

/** Returns the content of the page of results, for browsers without scripts and for links. */
export const searchContent = (query: string, results: readonly SearchResult[]): string => {
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
