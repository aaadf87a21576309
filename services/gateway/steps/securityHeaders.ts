import type { Step } from '../context.ts'

/** Nothing that is answered may be framed, sniffed, run or kept; a page that needs more says so itself. */
export const securityHeaders: Step = (context, next) => {
  const { res } = context
  res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Referrer-Policy', 'no-referrer')
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  res.setHeader('Cache-Control', 'no-store')
  if (context.state.secure) res.setHeader('Strict-Transport-Security', 'max-age=31536000')
  return next()
}
