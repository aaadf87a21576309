import type { Attachment, Content } from '@postrider/domain/email/email.ts'

const pieceBytes = 8 * 2 ** 20

/** An upper bound of what a content takes in the store, without encoding it: a UTF-16 unit is 3 bytes at most. */
export const roughBytes = ({ html, text, headers, attachments }: Content): number => {
  let [characters, bytes] = [(html?.length ?? 0) + (text?.length ?? 0), 0]
  for (const name in headers) characters += name.length + (headers[name]?.length ?? 0)
  for (const { filename, contentType, contentId, content } of attachments) {
    characters += filename.length + contentType.length + (contentId?.length ?? 0)
    bytes += content.byteLength
  }
  return 3 * characters + bytes
}

/** All but the attachments' bytes, which follow it in their order. */
type Head = Omit<Content, 'attachments'> & { attachments: (Omit<Attachment, 'content'> & { bytes: number })[] }

/** A content as one run of bytes: the length of its head (4 bytes, big-endian), the head as JSON, the attachments. */
export const packContent = ({ attachments, ...rest }: Content): Uint8Array => {
  const described = attachments.map(({ content, ...about }) => ({ ...about, bytes: content.byteLength }))
  const head = Buffer.from(JSON.stringify({ ...rest, attachments: described } satisfies Head))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.byteLength)
  return Buffer.concat([length, head, ...attachments.map(({ content }) => content)])
}

/** The same in pieces that fit into a document each. */
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
