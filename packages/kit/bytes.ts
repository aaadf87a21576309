/** Returns the parts as one. A single part is returned as it is, without a copy. */
export const joinBytes = <Part extends Uint8Array>(parts: readonly Part[]): Part | Buffer => {
  const [only] = parts
  return only && parts.length === 1 ? only : Buffer.concat(parts)
}

/**
 * Frees the memory of bytes now, if nothing else is in it. Every view of them is empty afterwards. Otherwise the next
 * garbage collection frees it, and megabytes of buffers cause one, which stops the process for 10 ms and more.
 */
export const freeBytes = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
