import type { Context } from '../context.ts'
import type { Html } from './html.ts'

/** Styles stand in the pages; scripts, frames by others, forms and anything from elsewhere are off, also in what a frame shows. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

export const sendPage = (context: Context, page: Html): void => {
  context.set('Content-Security-Policy', policy)
  context.body = page.markup
  context.set('Content-Type', 'text/html; charset=utf-8')
}
