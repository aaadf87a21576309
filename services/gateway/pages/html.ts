import { escapeHtml } from '@postrider/kit/escapeHtml.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import type { Context } from '../deps.ts'

/** Markup that is inserted into a page without escaping. Only `html` makes it. */
export type Html = { readonly markup: string }

type Value = string | number | Html | readonly Html[]

const markupOf = (value: Value): string => {
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

/** Tags a template literal whose values are escaped unless they are markup. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html => ({
  markup: parts.reduce((text, part, index) => text + markupOf(values[index - 1] ?? '') + part),
})

/** Characters that are escaped between two pauses. */
const pieceLength = 16_384

/** Escapes a text that may be long, such as a message, in short steps. */
export function* escapeSteps(text: string): Steps<Html> {
  let markup = ''
  for (let from = 0; from < text.length; from += pieceLength) {
    markup += escapeHtml(text.slice(from, from + pieceLength))
    yield
  }
  return { markup }
}

const style = html`<style>
  :root { color-scheme: light dark; --ink: light-dark(#1c2024, #e6e8ea); --soft: light-dark(#5b6470, #9aa4af); --paper: light-dark(#fff, #14171a); --line: light-dark(#dfe3e8, #2c3238); --tint: light-dark(#f4f6f8, #1c2125); --link: light-dark(#0b57c9, #7db2ff); --bad: light-dark(#b3261e, #ffb4ab); }
  * { box-sizing: border-box; }
  body { margin: 0 auto; max-width: 56rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
  h1 { font-size: 1.4rem; line-height: 1.25; margin: 0.5rem 0 1rem; }
  a { color: var(--link); }
  nav { font-size: 0.9rem; margin-bottom: 1.5rem; }
  .soft { color: var(--soft); font-size: 0.9rem; }
  .mark { border: 1px solid var(--line); border-radius: 1rem; padding: 0 0.5rem; font-size: 0.8rem; white-space: nowrap; }
  pre { background: var(--tint); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem; overflow-x: auto; white-space: pre-wrap; font-size: 0.85rem; }
  ul.mails { list-style: none; padding: 0; margin: 0; border-top: 1px solid var(--line); }
  ul.mails li { border-bottom: 1px solid var(--line); }
  ul.mails a { display: block; padding: 0.6rem 0.25rem; text-decoration: none; color: inherit; }
  ul.mails a:hover, ul.mails a:focus { background: var(--tint); }
  ul.mails b { display: block; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 0.75rem; }
  dt { color: var(--soft); }
  dd { margin: 0; }
  h2 { font-size: 1.2rem; margin: 2.5rem 0 0.5rem; }
  h3 { font-size: 1.05rem; margin: 2rem 0 0.5rem; }
  h4 { font-size: 0.9rem; margin: 1rem 0 0.25rem; color: var(--soft); }
  table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
  th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.5rem 0.35rem 0; border-bottom: 1px solid var(--line); }
  td:first-child, td:nth-child(2) { white-space: nowrap; }
  @media (max-width: 42rem) { thead { display: none; } tr { display: block; border-bottom: 1px solid var(--line); padding: 0.35rem 0; } td { display: block; border: 0; padding: 0; } }
  .anchor { color: var(--soft); text-decoration: none; font-weight: normal; }
  form { max-width: 24rem; }
  label { display: block; margin: 1rem 0 0.25rem; font-weight: 600; }
  input { display: block; width: 100%; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: 6px; padding: 0.6rem 0.75rem; }
  button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0.5rem 1.25rem; border: 1px solid var(--link); border-radius: 6px; background: var(--link); color: var(--paper); cursor: pointer; }
  form > button { margin-top: 1.5rem; }
  button.plain { background: transparent; color: var(--link); min-height: 2.25rem; padding: 0.25rem 0.75rem; margin: 0; }
  :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
  .alert { border: 1px solid var(--bad); border-left-width: 6px; border-radius: 6px; padding: 0.6rem 0.75rem; max-width: 24rem; }
  .row { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; justify-content: space-between; margin-bottom: 1rem; }
  .row form { margin: 0; }
  iframe { width: 100%; height: 32rem; border: 1px solid var(--line); border-radius: 6px; background: #fff; color-scheme: light; }
</style>`

/** Returns a whole page. */
export const page = (title: string, style: Html, body: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Postrider</title>
${style}
</head>
<body>
${body}
</body>
</html>
`

/**
 * Returns a whole page: without scripts, without content from other hosts, readable in light and dark and on a phone.
 */
export const layout = (title: string, content: Html, moreStyle = html``): Html =>
  page(
    title,
    html`${style}
${moreStyle}`,
    html`<nav><a href="/">Postrider</a> · <a href="/mailbox">Mailbox</a> · <a href="/docs">API reference</a></nav>
<main>
${content}
</main>`,
  )

/** Returns what is wrong with a form; absent: nothing is. */
export const alertRow = (alert: string | null | undefined): Html =>
  alert == null ? html`` : html`<p class="alert" role="alert" id="alert">${alert}</p>`

/** Returns the attributes of a field that `alertRow` is about. */
export const described = (alert: string | null | undefined): Html =>
  alert == null ? html`` : html` aria-invalid="true" aria-describedby="alert"`

/**
 * Allows inline styles only: no scripts, no framing by other sites, nothing from other hosts, also not inside a frame.
 */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action"

/** Returns the policy of a page. @param options `forms`: whether it has forms, which post to this service only */
export const pagePolicy = ({ forms }: { forms: boolean }): string => `${policy} ${forms ? "'self'" : "'none'"}`

/** @param forms whether the page has forms, which post to this service only */
export const sendPage = (context: Context, page: Html, options: { forms?: boolean } = {}): void =>
  sendMarkup(context, page.markup, options)

/** Sends the markup of a page that `layout` made. */
export const sendMarkup = (context: Context, markup: string | Buffer, { forms = false } = {}): void => {
  context.set('Content-Security-Policy', pagePolicy({ forms }))
  // Under `no-referrer`, browsers post a form with `Origin: null`, which is refused as another site's.
  if (forms) context.set('Referrer-Policy', 'same-origin')
  context.body = markup
  context.set('Content-Type', 'text/html; charset=utf-8')
}

/** Makes the browser read another page of this service. */
export const seeOther = (context: Context, path: string): void => {
  context.status = 303
  context.set('Location', path)
  context.body = null
  // A null body sets 204.
  context.status = 303
}

export const sendJson = (context: Context, body: object): void => {
  context.body = JSON.stringify(body)
  context.set('Content-Type', 'application/json; charset=utf-8')
}
