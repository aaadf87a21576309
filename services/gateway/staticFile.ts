import { createHash } from 'node:crypto'
import type { ParameterizedContext } from 'koa'

/* Files that are the same for all requests: those of the dashboard, the documentation and the OpenAPI document. */

/** A content with the name by which a client recognizes it (RFC 9110 §8.8.3). */
export type Content = { bytes: Buffer; etag: string }

/** Returns a content with a name that follows from its bytes. */
export const contentOf = (bytes: Buffer): Content => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
})

export type Encoding = 'br' | 'gzip'

/** A file in each form in which it is sent. */
export type StaticFile = {
  /** Content-Type. */
  type: string
  plain: Content
  /** Compressed forms, the smallest first. */
  encoded: readonly (Content & { encoding: Encoding })[]
}

/** `Cache-Control` of a file whose name contains a digest of its content: a year. */
export const foreverCached = 'public, max-age=31536000, immutable'

/** `Cache-Control` of another file: a client compares its copy each time, so it never uses that of another release. */
export const compared = 'no-cache'

/** Sends a file in the smallest form that the client accepts, or 304 if it has that form already. */
export const sendFile = (
  context: ParameterizedContext,
  { type, plain, encoded }: StaticFile,
  cacheControl: string,
): void => {
  const wanted = encoded.find(({ encoding }) => context.acceptsEncodings(encoding) !== false)
  const { bytes, etag } = wanted ?? plain
  context.set({ 'Content-Type': type, 'Cache-Control': cacheControl, ETag: etag })
  context.vary('Accept-Encoding')
  if (wanted) context.set('Content-Encoding', wanted.encoding)
  context.status = 200
  if (context.fresh) context.status = 304
  else context.body = bytes
}
