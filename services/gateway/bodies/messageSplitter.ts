import { type PartList, partList } from './partList.ts'

/** An object in an array of the body, and its index there. */
export type MessageBytes = { number: number; bytes: Buffer }

/**
 * Divides a JSON body as it arrives into the objects of its arrays, `{"messages": [{…}, {…}]}`, and the frame around
 * them, in which `{"at": <number>}` stands for each object. So one object can be read while the next is on its way. It
 * checks nothing: a body that is not JSON has a frame or an object that is not JSON.
 */
export type MessageSplitter = {
  /** Returns the objects that end in this part of the body. */
  push(chunk: Buffer): MessageBytes[]
  /** Bytes of the object that has not ended. */
  openBytes(): number
  /** Bytes of the frame so far. */
  frameBytes(): number
  frame(): Buffer
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Levels of the array's entries: the body's object, and the array. */
const entryLevel = 2

/**
 * Returns where the text that contains `from` ends in this chunk: after its quote, or at the end of the chunk.
 * @param before backslashes of the text directly in front of `from`
 */
const endOfText = (
  chunk: Buffer,
  from: number,
  before: number,
): { end: number; isOpen: boolean; backslashes: number } => {
  let backslashes = before
  for (let start = from; ; ) {
    const found = chunk.indexOf(quote, start)
    const end = found === -1 ? chunk.length : found
    let run = 0
    while (end - run > start && chunk[end - run - 1] === backslash) run += 1
    if (run === end - start) run += backslashes
    backslashes = 0
    if (found === -1) return { end, isOpen: true, backslashes: run }
    start = end + 1
    if (run % 2 === 0) return { end: start, isOpen: false, backslashes }
  }
}

export const messageSplitter = (): MessageSplitter => {
  const frame = partList()
  let frameSize = 0
  let open: PartList | null = null
  let openSize = 0
  let level = 0
  /** Whether the array of the entries is one: its first level is an object, its second an array. */
  let kinds: number[] = []
  let number = 0
  let isText = false
  /** Backslashes at the end of the last chunk, inside a text. */
  let backslashes = 0

  const add = (part: Buffer): void => {
    if (part.length === 0) return
    if (open === null) {
      frame.add(part)
      frameSize += part.length
    } else {
      open.add(part)
      openSize += part.length
    }
  }

  const isInArray = (): boolean => kinds[0] === openBrace && kinds[1] === openBracket

  const push = (chunk: Buffer): MessageBytes[] => {
    const ended: MessageBytes[] = []
    let from = 0
    for (let at = 0; at < chunk.length; ) {
      if (isText) {
        const text = endOfText(chunk, at, backslashes)
        at = text.end
        isText = text.isOpen
        backslashes = text.backslashes
        continue
      }
      const code = chunk[at]
      if (code === quote) isText = true
      else if (code === openBrace || code === openBracket) {
        if (level === entryLevel && code === openBrace && isInArray()) {
          add(chunk.subarray(from, at))
          from = at
          open = partList()
          openSize = 0
        }
        if (level < entryLevel) kinds[level] = code
        level += 1
        if (level === entryLevel) number = 0
      } else if (code === closeBrace || code === closeBracket) {
        level = Math.max(0, level - 1)
        if (level === entryLevel && open !== null) {
          add(chunk.subarray(from, at + 1))
          from = at + 1
          ended.push({ number, bytes: open.join() })
          open = null
          openSize = 0
          add(Buffer.from(`{"at":${number}}`))
        }
        if (level < entryLevel) kinds = kinds.slice(0, level)
      } else if (code === comma && level === entryLevel) number += 1
      at += 1
    }
    add(chunk.subarray(from))
    return ended
  }

  return { push, openBytes: () => openSize, frameBytes: () => frameSize, frame: () => frame.join() }
}
