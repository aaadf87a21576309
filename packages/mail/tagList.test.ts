import assert from 'node:assert/strict'
import { readTagList } from './tagList.ts'

const cases: [string, [string, string][] | null][] = [
  [
    'v=DKIM1; k=rsa; p=ab=',
    [
      ['v', 'DKIM1'],
      ['k', 'rsa'],
      ['p', 'ab='],
    ],
  ],
  [
    ' v = DKIM1 ;p=; ',
    [
      ['v', 'DKIM1'],
      ['p', ''],
    ],
  ],
  ['P=a', [['P', 'a']]],
  ['', []],
  ['v=DKIM1; k', null],
  ['v=DKIM1;; p=a', null],
  ['v=1; v=1', null],
  ['=a', null],
  ['1a=b', null],
]

describe('tag list', () => {
  for (const [text, tags] of cases)
    it(`${tags ? 'reads' : 'refuses'} ${JSON.stringify(text)}`, () => {
      const read = readTagList(text)
      assert.deepEqual(read && [...read], tags)
    })
})
