import { hash, type KeyObject, sign } from 'node:crypto'
import { bufferOf } from './bytes.ts'
import { bodyHash, fieldsIn } from './dkimCanonical.ts'
import { headerEnd, signedFields } from './dkimFields.ts'
import { canonicalUnsigned, type DkimAlgorithm, dkimKeyTypes, signedField, unsignedField } from './dkimSignature.ts'
import { finish, type Steps } from './steps.ts'

/*
 * DKIM signatures (RFC 6376, RFC 8463) of finished messages. The files of the mechanism:
 *
 * - `dkimCanonical.ts`: the canonical form of fields and bodies, and the hash of a body in short steps.
 * - `dkimFields.ts`: the fields that a signature covers.
 * - `dkimSignature.ts`: the field DKIM-Signature.
 * - `dkimKeys.ts`: key pairs and private keys.
 */

export type PrivateDkimKey = { selector: string; algorithm: DkimAlgorithm; key: KeyObject }

export type DkimSigning = {
  /** The finished message: as `compose` returns it, not dot-stuffed. It is only read. */
  message: Uint8Array
  /** The domain under which the records of the keys are, in A-labels: that of From, or one above it. */
  domain: string
  /** The keys of the signatures, in their order: none, RSA, Ed25519, or both. */
  keys: readonly PrivateDkimKey[]
  /** Milliseconds since the epoch. A verifier may refuse a signature of the future. */
  at: number
}

/** Runs the steps of a job, such as `slices.run`. */
type RunSteps = <Result>(steps: Steps<Result>) => Promise<Result>

/** What a key signs: the canonical header, and the field that the signature completes. */
type Unsigned = { key: PrivateDkimKey; field: string; data: Buffer }

/**
 * Returns the fields that sign a message, each with its final CRLF: they are sent directly before the message, which is
 * not copied. No keys: an empty buffer. No line begins with a dot. The hash of a long body is computed in short steps,
 * and the signatures on other threads.
 * @param run how the steps run; by default all in one iteration, for a message that is known to be short
 * @throws Error for a message without exactly one From, a name that is not one, or a key that cannot sign
 */
export const signMessage = async (signing: DkimSigning, run: RunSteps = runImmediately): Promise<Buffer> => {
  if (signing.keys.length === 0) return Buffer.alloc(0)
  const unsigned = await run(unsignedSteps(signing))
  const fields = await Promise.all(unsigned.map(completed))
  return Buffer.from(fields.join(''), 'latin1')
}

const runImmediately: RunSteps = async (steps) => finish(steps)

function* unsignedSteps({ message, domain, keys, at }: DkimSigning): Steps<Unsigned[]> {
  const bytes = bufferOf(message)
  const end = headerEnd(bytes)
  const { names, canonical } = signedFields(fieldsIn(bytes.toString('latin1', 0, end)))
  const ofBody = yield* bodyHash(bytes.subarray(end + 2))
  return keys.map((key) => {
    const { algorithm, selector } = key
    const field = unsignedField({ algorithm, domain, selector, atSeconds: at / 1_000, names, bodyHash: ofBody })
    // RFC 6376 §3.7: the field of the signature is last, without its final CRLF.
    return { key, field, data: Buffer.from(`${canonical}${canonicalUnsigned(field)}`, 'latin1') }
  })
}

/** Signs on a thread of the pool. With a callback the key is not used on the calling thread. */
const signed = (digest: 'sha256' | null, data: Buffer, key: KeyObject): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    sign(digest, data, key, (error, signature) => (error ? reject(error) : resolve(signature)))
  })

const completed = async ({ key: { algorithm, key }, field, data }: Unsigned): Promise<string> => {
  // An RSA key would sign as Ed25519 too, and no verifier would accept that.
  if (key.asymmetricKeyType !== dkimKeyTypes[algorithm]) throw new Error(`the private key is not one of ${algorithm}`)
  return signedField(
    field,
    algorithm === 'rsa-sha256'
      ? await signed('sha256', data, key)
      : // RFC 8463 §3: Ed25519 signs the hash.
        await signed(null, hash('sha256', data, 'buffer'), key),
  )
}
