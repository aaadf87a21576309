import type { DkimKey, SendingDomain } from './domain.ts'

/** Purpose of the encryption of DKIM keys: another purpose has other keys of the same secret. */
export const dkimSecretPurpose = 'dkim'

/** Returns what a sealed DKIM key is bound to: it cannot be opened as the key of another domain or selector. */
export const sealedPlace = (
  { id }: Pick<SendingDomain, 'id'>,
  { selector }: Pick<DkimKey, 'selector'>,
): readonly string[] => [id, selector]
