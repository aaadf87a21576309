/** Returns a text without percent-encoding; a text with a wrong encoding as it is. */
export const decodedOrSame = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
