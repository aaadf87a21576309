import assert from 'node:assert/strict'
import { functionsIn } from './functions.ts'

describe('functionsIn', () => {
  it('returns the first line and the length of functions with several lines', () => {
    const source = `const short = () => 1
const block = () => {
  return inner.map((one) => {
    return one
  })
}

export const withParameters = (
  first: string,
): string => {
  return first
}

const markup = () => (
  <p />
)

const record = () => ({
  method: async () => {
    return 1
  },
})
`
    assert.deepEqual(functionsIn(source), [
      { line: 2, lines: 5 },
      { line: 3, lines: 3 },
      { line: 8, lines: 5 },
      { line: 14, lines: 3 },
      { line: 18, lines: 5 },
      { line: 19, lines: 3 },
    ])
  })
})
