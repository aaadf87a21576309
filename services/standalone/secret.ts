import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The master key: the operator's, or one made at the first start and kept beside the database, for its owner alone. */
export const masterKey = (dataDirectory: string, given: string | undefined): string => {
  if (given !== undefined) return given
  const path = join(dataDirectory, 'secret')
  try {
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true })
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown
  }
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length < 32) throw new Error(`${path} holds no usable secret; put a backup of it there.`)
  return secret
}
