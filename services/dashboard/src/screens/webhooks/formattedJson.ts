/** Returns JSON with one member a line. A text that is not JSON, also one that was cut, stays as it is. */
export const formattedJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
