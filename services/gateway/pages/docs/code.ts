import { type Html, html } from '../html.ts'

/* Programs in a page. A browser without scripts shows them too: the tabs are radio buttons. */

const languages = ['curl', 'node', 'python'] as const

export type Language = (typeof languages)[number]

const labels: Readonly<Record<Language, string>> = { curl: 'curl', node: 'Node', python: 'Python' }

/** What stands for the API key in programs: the page's script replaces it by the key of the reader. */
const keyPlaceholder = /(YOUR_API_KEY|pr_(?:live|test)_(?:\.\.\.|…))/

/**
 * The name of every group of radio buttons. `numberTabs` makes them different, so that a page has one group for each
 * program.
 */
const tabsName = 'language'

const withKeys = (code: string): Html =>
  html`${code.split(keyPlaceholder).map((part, index) => (index % 2 === 0 ? html`${part}` : html`<span data-key>${part}</span>`))}`

/** Names of what a block of a guide shows, by the language of its fence. */
const names: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'Node',
  python: 'Python',
  go: 'Go',
  json: 'JSON',
  subject: 'Subject',
  text_body: 'Text',
  html_body: 'HTML',
  template_vars: 'Values',
  result: 'Result',
}

/** Returns one program or one piece of data. */
export const codeBlock = (code: string, language = '', name = names[language] ?? ''): Html => {
  const head = name === '' ? '' : html`<p class="code-head">${name}</p>`
  return html`<div class="code">${head}<pre tabindex="0"><code>${withKeys(code.trimEnd())}</code></pre></div>`
}

/** Returns the same program in each language, with one of them shown. */
export const tabbedCode = (programs: Readonly<Record<Language, string>>): Html => {
  const tabs = languages.map(
    (language, index) =>
      html`<label><input type="radio" name="${tabsName}" value="${language}"${index === 0 ? html` checked` : ''}>${labels[language]}</label>`,
  )
  return html`<div class="code tabbed"><fieldset class="code-head"><legend>Language</legend>${tabs}</fieldset>
${languages.map(
  (language) =>
    html`<pre tabindex="0" data-language="${language}"><code>${withKeys(programs[language].trimEnd())}</code></pre>\n`,
)}</div>`
}

/** Returns a page whose groups of radio buttons have a name each. */
export const numberTabs = (markup: string): string =>
  markup
    .split('<fieldset')
    .map((part, index) => part.replaceAll(` name="${tabsName}"`, ` name="${tabsName}-${index}"`))
    .join('<fieldset')
