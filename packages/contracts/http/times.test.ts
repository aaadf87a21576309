import assert from 'node:assert/strict'
import { durationMs } from './times.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const cases: [string, number | null][] = [
  ['PT10M', 10 * minute],
  ['PT1H', hour],
  ['PT90S', 90_000],
  ['P1D', day],
  ['P30D', 30 * day],
  ['P1DT12H', 1.5 * day],
  ['P1DT2H3M4S', day + 2 * hour + 3 * minute + 4_000],
  ['PT1H1S', hour + 1_000],
  ['P2W', 14 * day],
  ['PT0S', 0],
  ['P0D', 0],
  ['P', null],
  ['PT', null],
  ['P1DT', null],
  ['', null],
  ['10M', null],
  ['P1Y', null],
  ['P1M', null],
  ['P1W2D', null],
  ['PT1M1H', null],
  ['PT1.5H', null],
  ['PT-1H', null],
  ['-PT1H', null],
  ['pt1h', null],
  [' PT1H', null],
  ['PT1H\n', null],
  ['PT１H', null],
  [`PT${'9'.repeat(100_000)}S`, null],
]

describe('durationMs', () => {
  for (const [text, expected] of cases) {
    it(`reads ${JSON.stringify(text.slice(0, 20))} as ${expected}`, () => assert.equal(durationMs(text), expected))
  }
})
