import type { DkimKey, SendingDomain } from '@postrider/domain/domains/domain.ts'
import { sealedContext } from '@postrider/domain/domains/keys.ts'
import { requireOpened, type SecretBox } from '@postrider/kit/secretBox.ts'

/** Returns what an operator reads about a key. */
const keyOf = ({ name }: SendingDomain, { selector }: DkimKey): string => `the DKIM key ${selector} of ${name}`

/**
 * Returns a domain whose private keys are encrypted under the current secret, so that a former one can be removed from the
 * configuration; the same domain if they are already.
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
