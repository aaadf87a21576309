/** Returns the parts as one. A single part is returned as it is, without a copy. */
export const joinBytes = <Part extends Uint8Array>(parts: readonly Part[]): Part | Buffer => {
  const [only] = parts
  return only && parts.length === 1 ? only : Buffer.concat(parts)
}
