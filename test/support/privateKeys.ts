import { createPrivateKey } from 'node:crypto'

/**
 * Returns texts by which a private key (PKCS#8 in DER) is recognized: its numbers and the whole key in base64,
 * base64url, hex and as bytes. Without the beginnings, which are the same for all keys of a type.
 */
export const secretParts = (der: Buffer): string[] => {
  const { d = '', p, q } = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' })
  const numbers = [d, p, q].flatMap((part) => (part === undefined ? [] : [Buffer.from(part, 'base64url')]))
  const encoded = (bytes: Buffer): string[] =>
    (['base64', 'base64url', 'hex', 'latin1'] as const).map((encoding) => bytes.toString(encoding).slice(4, 36))
  // The bytes of the key contain those of its numbers, but base64 of them differs by the position of the first byte.
  return [...numbers.flatMap(encoded), ...[0, 1, 2].flatMap((start) => encoded(der.subarray(der.length - 48 + start)))]
}
