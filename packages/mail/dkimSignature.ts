/** The name of an algorithm in the tag `a` (RFC 6376 §3.3, RFC 8463 §3). */
export type DkimAlgorithm = 'rsa-sha256' | 'ed25519-sha256'

/** The type of the keys of an algorithm, as its record names it in `k`. */
export const dkimKeyTypes = { 'rsa-sha256': 'rsa', 'ed25519-sha256': 'ed25519' } as const

/** The tags of a signature except its value. */
export type SignatureTags = {
  algorithm: DkimAlgorithm
  /** The domain with the public key, in A-labels. */
  domain: string
  selector: string
  /** When the signature is made, in seconds since the epoch. */
  atSeconds: number
  /** The names of the signed fields. */
  names: readonly string[]
  bodyHash: Buffer
}

/**
 * How long a signature is valid (tag `x`, RFC 6376 §3.5): longer than servers on the way store mail (RFC 5321
 * §4.5.4.1), and as long as the record of a replaced key stays. It limits how long a copy of a message can be sent
 * again by others.
 */
const validSeconds = 7 * 86_400

/** RFC 5322 §2.1.1 recommends at most 78 characters. Only a name of labels may be longer: it cannot be divided. */
const maxLineLength = 76

/** A name of A-labels, or the labels of a selector: nothing that could end a tag (RFC 6376 §3.1, §3.5). */
const plainName = /^[a-z\d_](?:[a-z\d_.-]{0,251}[a-z\d_])?$/i

const fieldName = 'DKIM-Signature'

/**
 * Returns the field DKIM-Signature with an empty tag `b`, folded, without its final CRLF. There is no tag `l`, because
 * text could be added after the part that it covers.
 * @throws Error for a domain or selector that is not a name
 */
export const unsignedField = ({ algorithm, domain, selector, atSeconds, names, bodyHash }: SignatureTags): string => {
  for (const name of [domain, selector]) {
    if (!plainName.test(name)) throw new Error(`not a name of labels: ${JSON.stringify(name.slice(0, 100))}`)
  }
  const signedAt = Math.floor(atSeconds)
  const origin = [`d=${domain};`, `s=${selector};`]
  const originLine = origin.join(' ')
  return [
    `${fieldName}: v=1; a=${algorithm}; c=relaxed/relaxed;`,
    `t=${signedAt}; x=${signedAt + validSeconds};`,
    ...(originLine.length < maxLineLength ? [originLine] : origin),
    ...linesOfNames(names),
    `bh=${bodyHash.toString('base64')};`,
    'b=',
  ].join('\r\n ')
}

/** Returns the tag `h` in lines that fit after a space. */
const linesOfNames = (names: readonly string[]): string[] => {
  const lines: string[] = []
  let line = 'h='
  for (const [index, name] of names.entries()) {
    const part = index === names.length - 1 ? `${name};` : `${name}:`
    if (line.length + part.length < maxLineLength) line += part
    else {
      lines.push(line)
      line = part
    }
  }
  return [...lines, line]
}

/**
 * Returns the canonical form of a field that `unsignedField` returned. Its lines begin with one space and have no other
 * white space at their ends, so only the line ends are removed.
 */
export const canonicalUnsigned = (unsigned: string): string =>
  `${fieldName.toLowerCase()}:${unsigned.slice(fieldName.length + 2).replaceAll('\r\n', '')}`

/**
 * Returns the field with its signature, and a final CRLF. `b` is the last tag, so its lines are only added: the
 * canonical form without them stays what was signed.
 */
export const signedField = (unsigned: string, signature: Buffer): string => {
  const lines = signature.toString('base64').match(/.{1,75}/g) ?? []
  return `${[unsigned, ...lines].join('\r\n ')}\r\n`
}
