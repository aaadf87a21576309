import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { bufferOf } from './bytes.ts'
import { type DkimAlgorithm, dkimKeyTypes } from './dkimSignature.ts'

/** RFC 8301 §3.2 recommends at least 2048 bits. A longer key has a record that some DNS panels cut off. */
const rsaBits = 2_048

/** `privateKey` is PKCS#8 in DER. `record` is the content of the TXT record, unquoted and unsplit. */
export type DkimKeyPair = { algorithm: DkimAlgorithm; privateKey: Buffer; record: string }

type Pair = { privateKey: KeyObject; publicKey: KeyObject }

const generated = (algorithm: DkimAlgorithm): Promise<Pair> =>
  new Promise((resolve, reject) => {
    const done = (error: Error | null, publicKey: KeyObject, privateKey: KeyObject): void =>
      error ? reject(error) : resolve({ publicKey, privateKey })
    if (algorithm === 'rsa-sha256') generateKeyPair('rsa', { modulusLength: rsaBits }, done)
    else generateKeyPair('ed25519', {}, done)
  })

/** Generates a key pair on another thread; an RSA pair needs about 60 ms there. */
export const generateDkimKey = async (algorithm: DkimAlgorithm): Promise<DkimKeyPair> => {
  const { privateKey, publicKey } = await generated(algorithm)
  return {
    algorithm,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }),
    record: dkimRecordText(publicKey),
  }
}

/**
 * Returns a private key that signs with the algorithm.
 * @throws Error for bytes that are not such a key; the message contains none of them
 */
export const parseDkimKey = (algorithm: DkimAlgorithm, privateKey: Uint8Array): KeyObject => {
  const key = parsed(privateKey)
  if (key?.asymmetricKeyType === dkimKeyTypes[algorithm]) return key
  throw new Error(`the private key is not one of ${algorithm}`)
}

const parsed = (privateKey: Uint8Array): KeyObject | null => {
  try {
    return createPrivateKey({ key: bufferOf(privateKey), format: 'der', type: 'pkcs8' })
  } catch {
    return null
  }
}

/**
 * Returns the record of a public key at `<selector>._domainkey.<domain>` (RFC 6376 §3.6.1, RFC 8463 §4), unquoted and
 * unsplit. RSA and Ed25519 keys only.
 */
export const dkimRecordText = (publicKey: KeyObject): string => {
  const { asymmetricKeyType: type } = publicKey
  if (type !== 'rsa' && type !== 'ed25519') throw new Error('a DKIM record has an RSA or Ed25519 key')
  const info = publicKey.export({ format: 'der', type: 'spki' })
  const bytes = type === 'rsa' ? info : info.subarray(-ed25519Bytes)
  return `v=DKIM1; k=${type}; p=${bytes.toString('base64')}`
}

/** RFC 8463 §4: a record has the bare key of Ed25519, which are the last bytes of its SubjectPublicKeyInfo. */
const ed25519Bytes = 32
