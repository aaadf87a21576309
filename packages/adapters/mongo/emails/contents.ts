import type { Attachment, Content, Email } from '@postrider/domain/email/email.ts'
import { type Binary, type Collection, type Db, ObjectId } from 'mongodb'
import { insertEach } from '../client/bulkWrite.ts'
import { contentKeyOf, signedContentKey } from './document.ts'

type AttachmentDoc = Omit<Attachment, 'content'> & { content: Uint8Array | Binary }

/** `headers` is JSON, since users choose the names. */
type WholeContent = { html: string | null; text: string | null; headers: string; attachments: AttachmentDoc[] }
/** A content too large for one document: the number of its pieces. */
type SplitContent = { pieces: number }
/** `contested`: there is another content for this email, so only the email's record shows which one is valid. */
type ContentDoc = { _id: string; contested?: true } & (WholeContent | SplitContent)
type PieceDoc = { _id: string; bytes: Uint8Array | Binary }

/** The server's limit for a document is 16 MiB; `roughBytes` does not count BSON's own overhead. */
const maxDocumentBytes = 12 * 2 ** 20
const pieceBytes = 8 * 2 ** 20

const pieceKey = (key: string, number: number): string => `${key}/${number}`

export type Contents = ReturnType<typeof emailContents>

/**
 * Contents of emails, separate from their records so that claims and outcomes do not rewrite bodies. A content is
 * written before its record, so every record has one. A content that a crash leaves without a record is harmless; it is
 * removed when the id gets a tombstone.
 *
 * A content's key is the one of `contentKeyOf`. If an earlier try already stored a content under that, which happens
 * only after a crash, the key is the id with a suffix, and the record names it: the template may have another version
 * by then, and an email must not combine the subject of one try with the body of another.
 */
export const emailContents = (db: Db) => {
  const contents = db.collection<ContentDoc>('contents')
  const pieces = contentPieces(db)

  return {
    /** Stores each under its key. @returns for each: true, stored; false, there is already one */
    put: async (batch: readonly { key: string; content: Content }[]): Promise<(boolean | Error)[]> => {
      const prepared = batch.map(({ key, content }) => contentDocs(key, content))
      const inserted = await insertEach(
        contents,
        prepared.map(({ doc }) => doc),
      )
      for (const [index, one] of prepared.entries()) if (inserted[index] === true) await pieces.put(one.pieces)
      return inserted
    },

    /** Stores a content in addition to that of an earlier try. @returns its key */
    putSeparately: async (email: Pick<Email, 'id' | 'domainId'>, content: Content): Promise<string> => {
      // First, so that a reader of the new record never uses the other content.
      await contents.updateOne({ _id: contentKeyOf(email) }, { $set: { contested: true } })
      const key = `${email.id}/${new ObjectId().toHexString()}`
      const prepared = contentDocs(key, content)
      await contents.insertOne(prepared.doc)
      await pieces.put(prepared.pieces)
      return key
    },

    /** Removes a content with its pieces and, if the key is an email's id, all other contents of that email. */
    remove: async (key: string): Promise<void> => {
      // `0` is the character after `/`.
      await contents.deleteMany({ _id: { $gte: `${key}/`, $lt: `${key}0` } })
      await contents.deleteOne({ _id: key })
    },

    /** Removes all contents of emails. */
    removeAll: async (ids: readonly string[]): Promise<void> => {
      if (ids.length === 0) return
      const others = ids.map((id) => ({ _id: { $gte: `${id}/`, $lt: `${id}0` } }))
      await contents.deleteMany({ $or: [{ _id: { $in: [...ids] } }, ...others] })
    },

    /** Replaces the bytes of attachments by none, in all contents of an email. */
    removeAttachments: async ({ id }: Pick<Email, 'id'>): Promise<void> => {
      const range = { _id: { $gte: `${id}/`, $lt: `${id}0` } }
      const found = await contents.find({ $or: [{ _id: id }, range] }).toArray()
      for (const doc of found) await emptyAttachments({ contents, pieces }, doc)
    },

    /**
     * @param keyOf returns the content's key that an email's record names. It is read only if tries left several
     * contents
     * @returns for each its content, null if there is none, or an Error if it is damaged
     */
    get: async (ids: readonly string[], keyOf: (id: string) => Promise<string>) => {
      const keys = ids.flatMap((id) => [id, signedContentKey(id)])
      const found = new Map((await contents.find({ _id: { $in: keys } }).toArray()).map((doc) => [doc._id, doc]))
      return Promise.all(
        ids.map(async (id) => {
          const [first, second] = [id, signedContentKey(id)].flatMap((key) => found.get(key) ?? [])
          if (!first) return null
          const key = first.contested || second ? await keyOf(id) : first._id
          const doc = found.get(key) ?? (await contents.findOne({ _id: key }))
          if (!doc) return null
          return 'pieces' in doc ? pieces.read(key, doc.pieces) : wholeContentOf(doc)
        }),
      )
    },
  }
}

/** The pieces of contents that are too large for one document. */
const contentPieces = (db: Db) => {
  const pieces = db.collection<PieceDoc>('contents')
  return {
    /** One after the other: a message of MongoDB is limited to 48 MB. */
    put: async (all: readonly PieceDoc[]): Promise<void> => {
      for (const piece of all) await pieces.insertOne(piece)
    },
    replace: async (all: readonly PieceDoc[]): Promise<void> => {
      for (const piece of all) await pieces.replaceOne({ _id: piece._id }, piece, { upsert: true })
    },
    /** Removes the pieces of a content behind the first ones. */
    removeAfter: async (key: string, first: number, count: number): Promise<void> => {
      const all = Array.from({ length: count }, (_, number) => pieceKey(key, number))
      if (count > 0) await pieces.deleteMany({ _id: { $in: all.slice(first) } })
    },
    read: async (key: string, count: number): Promise<Content | Error> => {
      const parts: Uint8Array[] = []
      for (let number = 0; number < count; number++) {
        const piece = await pieces.findOne({ _id: pieceKey(key, number) })
        if (!piece) return new Error('a content lacks a piece')
        parts.push(bytesOf(piece.bytes))
      }
      return unpackContent(parts)
    },
  }
}

type ContentStores = { contents: Collection<ContentDoc>; pieces: ReturnType<typeof contentPieces> }

/** Replaces the bytes of the attachments in one content by none. */
const emptyAttachments = async ({ contents, pieces }: ContentStores, doc: ContentDoc): Promise<void> => {
  if (!('pieces' in doc) && !('headers' in doc)) return
  const content = 'pieces' in doc ? await pieces.read(doc._id, doc.pieces) : wholeContentOf(doc)
  if (content instanceof Error) return
  const emptied = content.attachments.map((attachment) => ({ ...attachment, content: new Uint8Array() }))
  const { doc: after, pieces: changedPieces } = contentDocs(doc._id, { ...content, attachments: emptied })
  await pieces.replace(changedPieces)
  await contents.replaceOne({ _id: doc._id }, doc.contested ? { ...after, contested: true } : after)
  await pieces.removeAfter(doc._id, changedPieces.length, 'pieces' in doc ? doc.pieces : 0)
}

/** Returns the documents of a content: one, and pieces if it is too large for that. */
const contentDocs = (key: string, content: Content): { doc: ContentDoc; pieces: PieceDoc[] } => {
  if (roughBytes(content) > maxDocumentBytes) {
    const pieces = piecesOf(packContent(content)).map((bytes, number) => ({ _id: pieceKey(key, number), bytes }))
    return { doc: { _id: key, pieces: pieces.length }, pieces }
  }
  const { html, text, headers, attachments } = content
  return { doc: { _id: key, html, text, headers: JSON.stringify(headers), attachments }, pieces: [] }
}

const wholeContentOf = ({ html, text, headers, attachments }: WholeContent): Content => ({
  html,
  text,
  headers: JSON.parse(headers) as Record<string, string>,
  attachments: attachments.map((attachment) => ({ ...attachment, content: bytesOf(attachment.content) })),
})

/** Returns the stored bytes without copying them. */
const bytesOf = (stored: Uint8Array | Binary): Uint8Array => {
  const bytes = stored instanceof Uint8Array ? stored : stored.value()
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Returns an upper bound of a content's stored size without encoding it: a UTF-16 unit is at most 3 bytes. */
export const roughBytes = ({ html, text, headers, attachments }: Content): number => {
  let [characters, bytes] = [(html?.length ?? 0) + (text?.length ?? 0), 0]
  for (const name in headers) characters += name.length + (headers[name]?.length ?? 0)
  for (const { filename, contentType, contentId, content } of attachments) {
    characters += filename.length + contentType.length + (contentId?.length ?? 0)
    bytes += content.byteLength
  }
  return 3 * characters + bytes
}

/** A content without the attachments' bytes, which follow it in the same order. */
type Head = Omit<Content, 'attachments'> & { attachments: (Omit<Attachment, 'content'> & { bytes: number })[] }

/** Returns a content as bytes: the length of its head (4 bytes, big-endian), the head as JSON, the attachments. */
export const packContent = ({ attachments, ...rest }: Content): Uint8Array => {
  const described = attachments.map(({ content, ...about }) => ({ ...about, bytes: content.byteLength }))
  const head = Buffer.from(JSON.stringify({ ...rest, attachments: described } satisfies Head))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.byteLength)
  return Buffer.concat([length, head, ...attachments.map(({ content }) => content)])
}

/** Splits a packed content into pieces that fit into a document each. */
export const piecesOf = (packed: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(packed.byteLength / pieceBytes) }, (_, number) =>
    packed.subarray(number * pieceBytes, (number + 1) * pieceBytes),
  )

export const unpackContent = (pieces: readonly Uint8Array[]): Content => {
  const packed = Buffer.concat(pieces)
  let end = 4 + packed.readUInt32BE()
  const { attachments, ...rest } = JSON.parse(packed.toString('utf8', 4, end)) as Head
  return {
    ...rest,
    attachments: attachments.map(({ bytes, ...about }) => {
      const content = new Uint8Array(packed.buffer, packed.byteOffset + end, bytes)
      end += bytes
      return { ...about, content }
    }),
  }
}
