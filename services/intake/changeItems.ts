import { charactersOfStep, type Steps } from '@postrider/mail/steps.ts'

const quote = '"'
const backslash = '\\'

/** Returns the index after the string that starts at `start`. */
const endOfString = (json: string, start: number): number => {
  for (let end = json.indexOf(quote, start + 1); end >= 0; end = json.indexOf(quote, end + 1)) {
    let escapes = 0
    while (json[end - 1 - escapes] === backslash) escapes += 1
    if (escapes % 2 === 0) return end + 1
  }
  return json.length
}

/** Depth of the items: they are in a list, which is in an object. */
const itemDepth = 3

/**
 * Changes the items of the list in a stored response or stored results, such as `{"object":"list","data":[{…},{…}]}`.
 * It reads one item at a time and pauses between them, because `JSON.parse` of all of them would block the process.
 * @param json written by `JSON.stringify`
 * @param change returns the item that replaces one; both are JSON
 * @returns `json` itself if no item changed
 */
export function* changeItems(json: string, change: (item: string) => string): Steps<string> {
  const pieces: string[] = []
  let [depth, itemAt, copied, pausedAt] = [0, 0, 0, 0]
  for (let at = 0; at < json.length; ) {
    const character = json[at]
    if (character === quote) {
      at = endOfString(json, at)
      continue
    }
    at += 1
    if (character === '{' || character === '[') {
      depth += 1
      if (depth === itemDepth) itemAt = at - 1
    } else if (character === '}' || character === ']') {
      depth -= 1
      if (depth !== itemDepth - 1) continue
      const item = json.slice(itemAt, at)
      const changed = change(item)
      if (changed !== item) {
        pieces.push(json.slice(copied, itemAt), changed)
        copied = at
      }
      if (at - pausedAt < charactersOfStep) continue
      pausedAt = at
      yield
    }
  }
  return pieces.length === 0 ? json : [...pieces, json.slice(copied)].join('')
}
