const sentences: Record<string, (peer: string) => string> = {
  ECONNREFUSED: (peer) => `connection refused by ${peer}`,
  ECONNRESET: (peer) => `connection reset by ${peer}`,
  EPIPE: (peer) => `connection closed by ${peer}`,
  ENOTFOUND: (peer) => `no such host: ${peer}`,
  EAI_AGAIN: (peer) => `the name of ${peer} can't be resolved right now`,
  ETIMEDOUT: (peer) => `no connection with ${peer} in time`,
  EHOSTUNREACH: (peer) => `no way to ${peer}`,
  ENETUNREACH: (peer) => `no way to ${peer}`,
}

/** What a person can read of a network's error; `peer` is `host:port`. */
export const lossReason = (error: Error, peer: string): string => {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return sentences[code]?.(peer) ?? `connection with ${peer} failed: ${code || error.message.slice(0, 200)}`
}

export const tlsReason = (error: Error, peer: string): string => {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return `TLS with ${peer} failed: ${code in sentences ? lossReason(error, peer) : code || error.message.slice(0, 200)}`
}
