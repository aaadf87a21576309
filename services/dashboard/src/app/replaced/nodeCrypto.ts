/* Replaces `node:crypto` in the browser. The rules that the dashboard imports name it and never call it. */
const unavailable = (): never => {
  throw new Error('not available in a browser')
}

export { unavailable as createHash, unavailable as hash, unavailable as timingSafeEqual }
