import type { ContentReply } from '@postrider/contracts/services.ts'
import { type InlineImage, withInlineImages } from '@postrider/mail/inlineImages.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import { utf8Steps } from '../json/utf8Steps.ts'
import { escapeSteps } from './html.ts'

/* HTML of customers as a page for a frame. It may be hostile: the policy of its response decides what it can do. */

/**
 * Returns the headers of the page. `sandbox` without exceptions: no scripts, forms, links, popups or automatic reloads,
 * and an origin that has no cookies and no access to the page around it.
 * @param showsImages whether images of other hosts are loaded
 */
export const framedHeaders = (showsImages: boolean): Record<string, string> => ({
  'Content-Security-Policy': [
    'sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${showsImages ? ' https: http:' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
})

/**
 * Only the frame itself could follow a link, to a page that cannot be shown there. In another window, nothing opens.
 */
const base = '<base target="_blank">'

const doctype = /^\s*<!doctype[^>]*>/i

/** Returns the page of an email in UTF-8: its HTML part with its images, else its text. */
export function* framedPage({
  html,
  text,
  attachments,
}: Pick<ContentReply, 'html' | 'text' | 'attachments'>): Steps<Buffer> {
  if (html === null) {
    const { markup } = yield* escapeSteps(text ?? '')
    const start = '<!doctype html><meta charset="utf-8"><pre style="white-space: pre-wrap; font: 14px/1.5 monospace">'
    return yield* utf8Steps([start, markup, '</pre>'])
  }
  const images = attachments.flatMap(({ contentId, contentType, content }): InlineImage[] =>
    content && contentId !== null ? [{ contentId, contentType, content }] : [],
  )
  // Before the doctype it would change how browsers lay the page out.
  const [start = ''] = doctype.exec(html.slice(0, 500)) ?? []
  const markup = yield* withInlineImages(html.slice(start.length), images)
  return yield* utf8Steps([start, base, ...markup])
}
