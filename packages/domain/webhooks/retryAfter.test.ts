import assert from 'node:assert/strict'
import { readRetryAfter } from './schedule.ts'

const now = Date.UTC(2026, 10, 22, 12, 0, 0)

describe('Retry-After', () => {
  for (const [text, expected] of [
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['999999999', 999_999_999_000],
    ['Sun, 22 Nov 2026 12:01:00 GMT', 60_000],
    ['Sunday, 22-Nov-26 12:01:00 GMT', 60_000],
    ['Sun Nov 22 12:01:00 2026', 60_000],
    ['Sun Nov  1 12:01:00 2026', 0],
    ['Sun, 22 Nov 2026 11:59:00 GMT', 0],
    ['', null],
    ['-1', null],
    ['1.5', null],
    ['1e3', null],
    ['0x10', null],
    ['9999999999', null],
    ['soon', null],
    ['2026-11-22T12:01:00Z', null],
    ['Sun, 22 Nov 2026 12:01:00 +0100', null],
    ['Sun, 99 Nov 2026 12:01:00 GMT', null],
    ['120, 240', null],
  ] as const)
    it(`${JSON.stringify(text)} is ${expected} ms`, () => assert.equal(readRetryAfter(text, now), expected))
})
