import type { Steps } from './steps.ts'
import type { ParsedTemplate } from './template.ts'

/** Gmail shows the first 102 kB of the HTML and hides the rest behind a link. */
const clippedBytes = 102_000

/** Names in a notice at most; a template may have 100 variables in a part. */
const maxNamed = 10

/** Characters of HTML, and attributes of a tag, that are read without a pause. */
const [charactersPerStep, attributesPerStep] = [32_768, 2_048]

/** The sources of the bodies, and what the parser found in them. */
export type AdvisedTemplate = {
  html: { source: string; parsed: ParsedTemplate } | null
  text: { source: string; parsed: ParsedTemplate } | null
}

/** Returns sentences about content that is permitted and often a mistake. */
export function* templateAdviceSteps({ html, text }: AdvisedTemplate): Steps<string[]> {
  if (html === null) return []
  const notices: string[] = []
  if (text === null) notices.push('There is no text_body: a text part is generated from html_body.')
  const { images, httpLinks } = yield* countTags(html.source)
  if (images > 0) {
    notices.push(
      `html_body has ${images === 1 ? 'an image' : `${images} images`} without an alt attribute; screen readers and clients that block images show nothing instead.`,
    )
  }
  if (httpLinks > 0) {
    notices.push(`html_body has ${httpLinks === 1 ? 'a URL' : `${httpLinks} URLs`} with http://; use https://.`)
  }
  const bytes = Buffer.byteLength(html.source)
  if (bytes > clippedBytes) {
    notices.push(`html_body has ${Math.ceil(bytes / 1_000)} kB; Gmail hides what follows after 102 kB.`)
  }
  if (text !== null) notices.push(...onlyInOne(html.parsed, text.parsed))
  return notices
}

const onlyInOne = (html: ParsedTemplate, text: ParsedTemplate): string[] => [
  ...missingIn(html.variables, text.variables, 'html_body', 'text_body'),
  ...missingIn(text.variables, html.variables, 'text_body', 'html_body'),
]

const missingIn = (names: readonly string[], others: readonly string[], here: string, there: string): string[] => {
  const missing = names.filter((name) => !others.includes(name))
  if (missing.length === 0) return []
  const more = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : ''
  const named = missing.slice(0, maxNamed).join(', ')
  return [`Only ${here} uses ${named}${more}; readers of ${there} do not see ${missing.length === 1 ? 'it' : 'them'}.`]
}

type Counts = { images: number; httpLinks: number }

/**
 * Counts images without alt, and URLs that begin with http://. Every character is read once: a tag that is never closed
 * ends the search, as browsers do not show it.
 */
function* countTags(source: string): Steps<Counts> {
  const counts: Counts = { images: 0, httpLinks: 0 }
  let pauseAt = charactersPerStep
  for (let at = source.indexOf('<'); at !== -1; at = source.indexOf('<', at)) {
    const end = source.startsWith('<!--', at) ? commentEnd(source, at) : yield* tagEnd(source, at + 1)
    if (end === -1) break
    if (/[A-Za-z]/.test(source[at + 1] ?? '')) yield* countTag(counts, source.slice(at + 1, end - 1))
    at = end
    if (at > pauseAt) {
      pauseAt = at + charactersPerStep
      yield
    }
  }
  return counts
}

const commentEnd = (source: string, at: number): number => {
  const end = source.indexOf('-->', at + 4)
  return end === -1 ? -1 : end + 3
}

/** Returns the index after the `>` of a tag; a `>` in a quoted value does not end the tag. */
function* tagEnd(source: string, from: number): Steps<number> {
  let [quote, isAfterEquals] = ['', false]
  for (let at = from; at < source.length; at++) {
    const character = source[at] ?? ''
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '>') return at + 1
    // A quote begins a value only after `=`; elsewhere it is an apostrophe.
    else if (isAfterEquals && (character === '"' || character === "'")) quote = character
    if (character > ' ') isAfterEquals = quote === '' && character === '='
    if ((at - from) % charactersPerStep === charactersPerStep - 1) yield
  }
  return -1
}

const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

const urlAttributes: ReadonlySet<string> = new Set(['href', 'src', 'background', 'action'])

function* countTag(counts: Counts, tag: string): Steps<void> {
  const name = /^[A-Za-z][^\s/>]*/.exec(tag)?.[0] ?? ''
  let [hasAlt, read] = [false, 0]
  for (const [, key = '', ...values] of tag.slice(name.length).matchAll(attribute)) {
    const lower = key.toLowerCase()
    const value = values.find((given) => given !== undefined) ?? ''
    if (lower === 'alt') hasAlt = true
    if (urlAttributes.has(lower) && /^\s*http:\/\//i.test(value)) counts.httpLinks += 1
    read += 1
    if (read % attributesPerStep === 0) yield
  }
  if (name.toLowerCase() === 'img' && !hasAlt) counts.images += 1
}
