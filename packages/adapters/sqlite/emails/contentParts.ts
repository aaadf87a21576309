import { randomInt } from 'node:crypto'
import type { Attachment, Content } from '@postrider/domain/email/email.ts'
import { contentLength } from '@postrider/domain/email/message.ts'
import { joinBytes } from '@postrider/kit/bytes.ts'
import { nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'

/*
 * Long content is written in parts, one part in a commit, before the record of its email. So no event loop iteration
 * writes more than one part, and an email never exists without its content. Parts without an email remain only after a
 * crash or a failure; see `removeUnusedParts`.
 */

/** Bytes of a part, and most characters and bytes of content that is stored in the row of its email. */
const partBytes = 256 * 1_024

/** Names the parts of one content, with their lengths. */
export type PartsRow = { parts: number; layout: string }

/** Returns the parts of a row of `contents`; null: its content is not in parts. */
export const partsOf = ({ parts, layout }: Row): PartsRow | null =>
  parts === null ? null : { parts: Number(parts), layout: String(layout) }

/**
 * Returns the columns `html`, `text`, `parts` and `layout` of a row of `contents`: the texts are in the row or in
 * parts.
 */
export const contentColumns = ({ html, text }: Pick<Content, 'html' | 'text'>, stored: PartsRow | null) =>
  stored === null ? ([html, text, null, null] as const) : ([null, null, stored.parts, stored.layout] as const)

type Layout = { html: number | null; text: number | null; attachments: number[] }

export type ContentParts = {
  /** Stores the parts of a content, in the turns of its workspace. They are durable when it returns.
   * @throws Fault `unavailable`: the next call removes the parts that were stored */
  store(workspace: string, content: Content): Promise<PartsRow>
  /** Removes parts that no email has, now or at the next `store`. Does not throw. */
  remove(row: PartsRow): Promise<void>
  /** Reads what `store` wrote, in the turns of its workspace. `content` has the rest. */
  read(workspace: string, row: PartsRow, content: Content): Promise<Content>
}

/** Returns whether a content is too long for one row. */
export const isInParts = (content: Content): boolean => contentLength(content) > partBytes

/** @param slices runs the reading and the writing */
export const contentParts = (db: SqliteDatabase, slices: Slices): ContentParts => {
  const insert = db.prepare('INSERT INTO content_parts (parts, number, bytes) VALUES (?, ?, ?)')
  const select = db.prepare('SELECT bytes FROM content_parts WHERE parts = ? AND number = ?')
  const remove = db.prepare('DELETE FROM content_parts WHERE parts = ? AND number = ?')
  const inTurn = oneAtATime()
  const change = (work: () => void): Promise<void> =>
    inTurn(async () => {
      db.writeOne(work, true)
      await db.synced()
    })
  /** Parts of failed requests. A request whose commit failed writes nothing more, so the next `store` removes them. */
  let unused: { parts: number; count: number }[] = []
  const removeUnused = async (): Promise<void> => {
    const removing = unused
    unused = []
    try {
      for (const one of removing) await removeParts(one)
    } catch (thrown) {
      unused.push(...removing)
      throw thrown
    }
  }
  const removeParts = async ({ parts, count }: { parts: number; count: number }): Promise<void> => {
    for (let number = 0; number < count; number++) await change(() => void remove.run(parts, number))
  }
  return {
    store: async (workspace, content) => {
      if (unused.length > 0) await removeUnused()
      const pieces = piecesOf(content)
      // Not a counter: after a failed commit two contents would have the same number.
      const parts = randomInt(2 ** 48 - 1)
      let count = 0
      try {
        for (const part of dividedParts(pieces)) {
          // Other long work does not run in the event loop iteration that writes a part.
          await nextSlice(slices.of(workspace))
          await change(() => void insert.run(parts, count, part))
          count += 1
        }
      } catch (thrown) {
        unused.push({ parts, count })
        throw thrown
      }
      return { parts, layout: JSON.stringify(layoutOf(content, pieces)) }
    },
    remove: async ({ parts, layout }) => {
      unused.push({ parts, count: Math.ceil(totalOf(JSON.parse(layout) as Layout) / partBytes) })
      await removeUnused().catch(() => undefined)
    },
    read: async (workspace, { parts, layout: json }, content) => {
      const layout = JSON.parse(json) as Layout
      const partOf = (number: number) => db.read(() => select.get(parts, number))?.['bytes'] as Uint8Array | undefined
      return divided(await slices.of(workspace).run(joined(totalOf(layout), partOf)), layout, content)
    },
  }
}

/** Parts that one write removes: 4 MiB. */
export const maxRemovedParts = 16

/** Returns a function that removes some parts of a content, inside of a write. It returns how many it removed. */
export const partsRemoval = (db: SqliteDatabase): ((parts: number, limit?: number) => number) => {
  const remove = db.prepare(
    'DELETE FROM content_parts WHERE rowid IN (SELECT rowid FROM content_parts WHERE parts = ? LIMIT ?)',
  )
  return (parts, limit = maxRemovedParts) => Number(remove.run(parts, limit).changes)
}

/**
 * Removes parts that neither an email nor a batch has. Only for the start: a request may be about to store the email.
 */
export const removeUnusedParts = (db: SqliteDatabase): void => {
  const remove = db.prepare(`
    DELETE FROM content_parts WHERE parts IN (
      SELECT DISTINCT parts FROM content_parts
      WHERE parts NOT IN (SELECT parts FROM contents INDEXED BY contents_in_parts WHERE parts IS NOT NULL)
      AND parts NOT IN (SELECT parts FROM batch_emails)
    )`)
  db.writeOne(() => remove.run())
}

/** Returns a function that runs one work at a time, in the order of the calls. */
const oneAtATime = () => {
  let last = Promise.resolve()
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    await before
    try {
      return await work()
    } finally {
      resolve()
    }
  }
}

/** The bytes of a content in the order in which they are stored. */
const piecesOf = ({ html, text, attachments }: Content): Uint8Array[] => [
  Buffer.from(html ?? ''),
  Buffer.from(text ?? ''),
  ...attachments.map(({ content }) => content),
]

const layoutOf = ({ html, text }: Content, [ofHtml, ofText, ...files]: Uint8Array[]): Layout => ({
  html: html === null ? null : (ofHtml?.length ?? 0),
  text: text === null ? null : (ofText?.length ?? 0),
  attachments: files.map(({ length }) => length),
})

const totalOf = ({ html, text, attachments }: Layout): number =>
  attachments.reduce((sum, length) => sum + length, (html ?? 0) + (text ?? 0))

/** Divides bytes into parts. Each has `partBytes`, the last one may be shorter. */
function* dividedParts(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let open: Uint8Array[] = []
  let room = partBytes
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const taken = piece.subarray(from, from + room)
      open.push(taken)
      from += taken.length
      room -= taken.length
      if (room > 0) continue
      yield joinBytes(open)
      open = []
      room = partBytes
    }
  }
  if (open.length > 0) yield joinBytes(open)
}

/** Reads the parts in short steps. */
function* joined(
  total: number,
  partOf: (number: number) => Uint8Array | undefined,
): Generator<undefined, Buffer, undefined> {
  const bytes = Buffer.allocUnsafeSlow(total)
  for (let [number, at] = [0, 0]; at < total; number++) {
    const part = partOf(number)
    if (part === undefined) throw new Error('a part of a content is missing')
    bytes.set(part, at)
    at += part.length
    yield
  }
  return bytes
}

const divided = (bytes: Buffer, layout: Layout, { headers, attachments }: Content): Content => {
  let at = 0
  const next = (length: number): Buffer => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const textOf = (length: number | null): string | null => (length === null ? null : next(length).toString())
  return {
    html: textOf(layout.html),
    text: textOf(layout.text),
    headers,
    attachments: attachments.map(
      (attachment, index): Attachment => ({ ...attachment, content: next(layout.attachments[index] ?? 0) }),
    ),
  }
}
