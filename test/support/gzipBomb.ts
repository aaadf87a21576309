import { constants, crc32, deflateRawSync } from 'node:zlib'

const mebibyte = 2 ** 20

/** Magic number, DEFLATE, no flags, no time, no extra flags, unknown system (RFC 1952 §2.3). */
const header = Buffer.from('1f8b08000000000000ff', 'hex')

/**
 * Returns a gzip file (one member, RFC 1952) of `mebibytes` MiB of zero bytes. Only one MiB is compressed, and its
 * blocks are repeated.
 */
export const gzipBomb = (mebibytes: number): Buffer => {
  const zeros = Buffer.alloc(mebibyte)
  const blocks = deflateRawSync(zeros, { finishFlush: constants.Z_FULL_FLUSH })
  const last = deflateRawSync(Buffer.alloc(0))
  const trailer = Buffer.alloc(8)
  let sum = 0
  for (let count = 0; count < mebibytes; count++) sum = crc32(zeros, sum)
  trailer.writeUInt32LE(sum, 0)
  trailer.writeUInt32LE((mebibytes * mebibyte) % 2 ** 32, 4)
  return Buffer.concat([header, ...Array<Buffer>(mebibytes).fill(blocks), last, trailer])
}
