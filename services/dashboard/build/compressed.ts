import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)]

/** Files of other types are compressed already. */
const isText = /\.(js|css|html|svg|json|txt|webmanifest)$/
/** Below this a compressed file saves no packet. */
const leastBytes = 1_024

/** Writes `x.br` and `x.gz` next to each text file, so that the gateway compresses nothing. */
export const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  enforce: 'post',
  async generateBundle(_options, bundle) {
    const compressFile = async ([name, file]: [string, (typeof bundle)[string]]): Promise<void> => {
      const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source)
      if (!isText.test(name) || bytes.length < leastBytes) return
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
      const [br, gz] = await Promise.all([compressBrotli(bytes, { params }), compressGzip(bytes, { level: 9 })])
      this.emitFile({ type: 'asset', fileName: `${name}.br`, source: br })
      this.emitFile({ type: 'asset', fileName: `${name}.gz`, source: gz })
    }
    await Promise.all(Object.entries(bundle).map(compressFile))
  },
})
