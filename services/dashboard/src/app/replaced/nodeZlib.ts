/* Replaces `node:zlib` in the browser. The rules that the dashboard imports name it and never call it. */
export const crc32 = (): never => {
  throw new Error('not available in a browser')
}
