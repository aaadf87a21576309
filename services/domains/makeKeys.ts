import { randomBytes } from 'node:crypto'
import type { DkimKey, KeyAlgorithm, NewKey, SendingDomain } from '@postrider/domain/domains/domain.ts'
import { sealedContext, selectorOf } from '@postrider/domain/domains/keys.ts'
import { fairTaskQueue } from '@postrider/kit/fairTaskQueue.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { requireOpened, type SecretBox } from '@postrider/kit/secretBox.ts'
import type { DkimKeyPair } from '@postrider/mail/dkimKeys.ts'
import type { DkimAlgorithm } from '@postrider/mail/dkimSignature.ts'

/** Generates and seals DKIM keys. */
export type KeyMaker = {
  /**
   * Returns one new key for each algorithm, in their order.
   * @param owner the domain, and the workspace whose requests wait for each other
   * @throws Fault `unavailable`: too many keys are being made already
   */
  make(owner: { id: string; workspace: string }, algorithms: readonly KeyAlgorithm[]): Promise<NewKey[]>
}

type MakeKeysOptions = {
  box: Pick<SecretBox, 'secretId' | 'seal'>
  /** Returns a key pair, computed on another thread. */
  generate(algorithm: DkimAlgorithm): Promise<DkimKeyPair>
  maxWaiting?: number
  maxWaitingPerWorkspace?: number
}

const dkimAlgorithms: Record<KeyAlgorithm, DkimAlgorithm> = { rsa: 'rsa-sha256', ed25519: 'ed25519-sha256' }

const tooManyFault = (): Fault =>
  new Fault('unavailable', 'Too many DKIM keys are being created at the moment; try again in a few seconds.', {
    retryAfterMs: 5_000,
    expected: true,
  })

/**
 * Returns a key maker. Keys are generated for one request at a time, because an RSA key takes about 60 ms of CPU time
 * on a thread that the signatures of mail need too. Next in turn is the workspace for which the fewest keys were made
 * recently. When the queue is full, a request of the workspace with the most requests is refused, so that a flood from
 * some workspaces does not get the request of another refused.
 */
export const keyMaker = ({ box, generate, maxWaiting = 40, maxWaitingPerWorkspace = 3 }: MakeKeysOptions): KeyMaker => {
  const queue = fairTaskQueue({
    maxRunning: 1,
    maxWaiting,
    maxWaitingPerOwner: maxWaitingPerWorkspace,
    onFull: tooManyFault,
  })

  const newKey = async (id: string, algorithm: KeyAlgorithm): Promise<NewKey> => {
    const { privateKey, record } = await generate(dkimAlgorithms[algorithm])
    const selector = selectorOf(algorithm, randomBytes(8))
    const sealed = { secretId: box.secretId, box: box.seal(privateKey, sealedContext({ id }, { selector })) }
    privateKey.fill(0)
    return { selector, algorithm, publicRecord: record, sealed }
  }
  return {
    make: ({ id, workspace }, algorithms) =>
      queue.run({ owner: workspace }, async () => {
        const keys: NewKey[] = []
        for (const algorithm of algorithms) keys.push(await newKey(id, algorithm))
        return keys
      }),
  }
}

/** Returns what an operator reads about a key. */
const keyOf = ({ name }: SendingDomain, { selector }: DkimKey): string => `the DKIM key ${selector} of ${name}`

/**
 * Returns a domain whose private keys are encrypted under the current secret, so that a former one can be removed from
 * the configuration; the same domain if they are already.
 * @throws Fault `conflict`: a key cannot be decrypted
 */
export const resealed = (box: SecretBox, domain: SendingDomain): SendingDomain => {
  if (domain.keys.every(({ sealed }) => sealed === null || sealed.secretId === box.secretId)) return domain
  return { ...domain, keys: domain.keys.map((key) => resealedKey(box, domain, key)) }
}

const resealedKey = (box: SecretBox, domain: SendingDomain, key: DkimKey): DkimKey => {
  if (key.sealed === null || key.sealed.secretId === box.secretId) return key
  const context = sealedContext(domain, key)
  const plain = requireOpened(box.open(key.sealed.box, context), keyOf(domain, key))
  const sealed = { secretId: box.secretId, box: box.seal(plain, context) }
  plain.fill(0)
  return { ...key, sealed }
}
