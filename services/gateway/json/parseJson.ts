import { isUtf8 } from 'node:buffer'
import { Fault, type Problem } from '@postrider/kit/fault.ts'
import { scanJson } from './scanJson.ts'

const refuse = (code: string, message: string, path = ''): Fault => {
  const problems: Problem[] = [{ path, code, message }]
  return new Fault('malformed_request', message, { problems })
}

/**
 * Reads a body more strictly than `JSON.parse`: what two readers could take for two things is refused, not guessed.
 * @throws Fault `malformed_request`, naming what is wrong: `empty_body`, `invalid_utf8`, `byte_order_mark`, `too_deep`,
 *   `too_many_values`, `duplicate_key`, `reserved_key`, `invalid_json`
 */
export const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) throw refuse('empty_body', 'The body is empty; this request needs a JSON object.')
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw refuse('byte_order_mark', 'The body begins with a byte order mark; JSON has none (RFC 8259 §8.1).')
  }
  if (!isUtf8(bytes)) throw refuse('invalid_utf8', 'The body is not valid UTF-8.')
  const text = bytes.toString()
  const fault = scanJson(text)
  if (fault) throw refuse(fault.code, fault.message)
  return parse(text)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('invalid_json', 'The body is not valid JSON.')
  }
}
