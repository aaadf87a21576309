import type { Attachment, Content } from '@postrider/domain/email/email.ts'
import { type Binary, type Collection, type Db, ObjectId } from 'mongodb'
import { insertedOf, unorderedBulk } from '../client/unorderedBulk.ts'
import { packContent, piecesOf, roughBytes, unpackContent } from './contentPieces.ts'

type AttachmentDoc = Omit<Attachment, 'content'> & { content: Uint8Array | Binary }

/** `headers` is JSON: their names are users' own. */
type Plain = { html: string | null; text: string | null; headers: string; attachments: AttachmentDoc[] }
/** A message too large for one document: how many pieces it is in. */
type Split = { pieces: number }
/** `contested`: another try kept another content, so the email's record must say which is its own. */
type ContentDoc = { _id: string; contested?: true } & (Plain | Split)
type PieceDoc = { _id: string; bytes: Uint8Array | Binary }

/** One document is 16 MiB at most (a limit of the server's), with room left for what `roughBytes` doesn't see. */
const mostBytes = 12 * 2 ** 20

const pieceId = (place: string, number: number): string => `${place}/${number}`

/** What is written for a content: its document and, where it is too large for one, pieces. */
const laidOut = (place: string, content: Content): { doc: ContentDoc; pieces: PieceDoc[] } => {
  if (roughBytes(content) > mostBytes) {
    const pieces = piecesOf(packContent(content)).map((bytes, number) => ({ _id: pieceId(place, number), bytes }))
    return { doc: { _id: place, pieces: pieces.length }, pieces }
  }
  const { html, text, headers, attachments } = content
  return { doc: { _id: place, html, text, headers: JSON.stringify(headers), attachments }, pieces: [] }
}

/** Bytes as they went in, without copying them. */
const bytesOf = (stored: Uint8Array | Binary): Uint8Array => {
  const bytes = stored instanceof Uint8Array ? stored : stored.value()
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const contentOf = ({ html, text, headers, attachments }: Plain): Content => ({
  html,
  text,
  headers: JSON.parse(headers) as Record<string, string>,
  attachments: attachments.map((attachment) => ({ ...attachment, content: bytesOf(attachment.content) })),
})

export type Contents = ReturnType<typeof emailContents>

/**
 * Contents of emails, apart from the records so that claims and outcomes never rewrite a body. A content is written
 * before its record, so no email is without one; what a crash leaves without a record is in nobody's way, and goes when
 * the id is taken back.
 *
 * A place is where a content is: the email's id, or, where an earlier try had put one there, a place of its own. That
 * happens after a crash only, when a template may have another version by then: an email must not have the subject of
 * one try and the body of another.
 */
export const emailContents = (db: Db) => {
  const contents = db.collection<ContentDoc>('contents')
  const pieces = db.collection<PieceDoc>('contents')

  return {
    /** Puts each under its email's id. @returns for each whether it is there now; false: another is */
    put: async (batch: readonly { id: string; content: Content }[]): Promise<(boolean | Error)[]> => {
      const laid = batch.map(({ id, content }) => laidOut(id, content))
      const docs = laid.map(({ doc }) => doc)
      const inserted = insertedOf(await unorderedBulk(() => contents.insertMany(docs, { ordered: false })), docs.length)
      for (const [index, one] of laid.entries()) if (inserted[index] === true) await putPieces(pieces, one.pieces)
      return inserted
    },

    /** Puts a content beside the one of an earlier try. @returns its place */
    putAside: async (id: string, content: Content): Promise<string> => {
      // Before there can be a record that says so, or its reader might take the other.
      await contents.updateOne({ _id: id }, { $set: { contested: true } })
      const place = `${id}/${new ObjectId().toHexString()}`
      const laid = laidOut(place, content)
      await contents.insertOne(laid.doc)
      await putPieces(pieces, laid.pieces)
      return place
    },

    /** Removes what is at a place and, where that is an email's id, whatever else there is for it. */
    remove: async (place: string): Promise<void> => {
      // `0` is the character after `/`.
      await contents.deleteMany({ _id: { $gte: `${place}/`, $lt: `${place}0` } })
      await contents.deleteOne({ _id: place })
    },

    /**
     * @param placeOf where the content of an email is by its record
     * @returns for each its content, or an Error: that one is damaged
     */
    get: async (ids: readonly string[], placeOf: (id: string) => Promise<string>) => {
      const found = await contents.find({ _id: { $in: [...ids] } }).toArray()
      const byId = new Map(found.map((doc) => [doc._id, doc]))
      return Promise.all(
        ids.map(async (id) => {
          const first = byId.get(id)
          const place = first?.contested ? await placeOf(id) : id
          const doc = place === id ? first : await contents.findOne({ _id: place })
          if (!doc) return null
          return 'pieces' in doc ? readPieces(pieces, place, doc) : contentOf(doc)
        }),
      )
    },
  }
}

/** One after the other, as they are read: a message of the wire's is 48 MB at most. */
const putPieces = async (collection: Collection<PieceDoc>, pieces: readonly PieceDoc[]): Promise<void> => {
  for (const piece of pieces) await collection.insertOne(piece)
}

const readPieces = async (collection: Collection<PieceDoc>, place: string, { pieces }: Split) => {
  const parts: Uint8Array[] = []
  for (let number = 0; number < pieces; number++) {
    const piece = await collection.findOne({ _id: pieceId(place, number) })
    if (!piece) return new Error('a content lacks a piece')
    parts.push(bytesOf(piece.bytes))
  }
  return unpackContent(parts)
}
