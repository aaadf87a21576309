import assert from 'node:assert/strict'
import { shownResponse } from './delivery.ts'

describe('shown responses to webhooks', () => {
  const decoded = (bytes: number[], count: number): string =>
    new TextDecoder().decode(Uint8Array.from(Array.from({ length: count }, () => bytes).flat()))

  // Regression: a response that was cut because bytes that are no UTF-8 become 3 bytes each was shown as complete.
  for (const [what, text, isCut, expected] of [
    ['a short text', 'thanks', false, ['thanks', false]],
    ['a short text that is not all of the body', 'thanks', true, ['thanks', true]],
    ['a text of 4,096 bytes', 'a'.repeat(4_096), false, ['a'.repeat(4_096), false]],
    ['2,000 bytes that are no UTF-8', decoded([0xff], 2_000), false, ['\ufffd'.repeat(1_365), true]],
    ['a text that is cut within a character', 'ü'.repeat(3_000), true, ['ü'.repeat(2_048), true]],
    ['control characters', 'a\0\u001b[2J', false, ['a\0\u001b[2J', false]],
  ] as const)
    it(`have at most 4,096 bytes, and state if there were more: ${what}`, () => {
      const { body, isCut: isShownCut } = shownResponse(text, isCut)
      assert.deepEqual([body, isShownCut], expected)
    })
})
