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
  shorthand() {
    return 2
  },
})

const chain = (list: number[]) =>
  list
    .map((one) => one + 1)
    .filter((one) => one > 2)

function declared() {
  return '}'
}
`
    assert.deepEqual(functionsIn(source), [
      { line: 2, lines: 5 },
      { line: 3, lines: 3 },
      { line: 8, lines: 5 },
      { line: 14, lines: 3 },
      { line: 18, lines: 8 },
      { line: 19, lines: 3 },
      { line: 22, lines: 3 },
      { line: 27, lines: 4 },
      { line: 32, lines: 3 },
    ])
  })
})
