import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)]

/** Files of other types are compressed already. */
const isText = /\.(js|css|html|svg|json|txt|webmanifest)$/
/** Size below which a compressed file saves no packet. */
const minBytes = 1_024

const compressFile = async (path: string): Promise<void> => {
  const bytes = await readFile(path)
  if (bytes.length < minBytes) return
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const [br, gz] = await Promise.all([compressBrotli(bytes, { params }), compressGzip(bytes, { level: 9 })])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}

/** Writes `x.br` and `x.gz` next to each text file, so that the gateway compresses nothing. */
export const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  // The files as they were written: Vite completes them in hooks that run after those of plugins.
  async writeBundle({ dir = '' }, bundle) {
    const names = Object.keys(bundle).filter((name) => isText.test(name))
    await Promise.all(names.map((name) => compressFile(join(dir, name))))
  },
})
