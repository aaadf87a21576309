import assert from 'node:assert/strict'
import { z } from 'zod'
import { readConfig } from './config.ts'

const schema = z.object({
  PORT: z.string().regex(/^\d+$/, 'must be a port number').optional(),
  MONGODB_URL: z.string().optional(),
  POSTRIDER_SIGNUP: z.string().optional(),
  POSTRIDER_ROUTE: z.string().startsWith('smtp:', 'must be a URL').optional(),
})

describe('configuration', () => {
  const unknown: [name: string, meant: string | undefined][] = [
    ['POSTRIDER_SINGUP', 'POSTRIDER_SIGNUP'],
    ['POSTRIDER_SIGN_UP', 'POSTRIDER_SIGNUP'],
    ['POSTRIDER_PORT', 'PORT'],
    ['POSTRIDER_MONGODB_URL', 'MONGODB_URL'],
    ['POSTRIDER_ACCOUNTS', undefined],
    ['POSTRIDER_', undefined],
  ]
  for (const [name, meant] of unknown) {
    it(`reports ${meant ?? 'no variable'} as meant by ${name}`, () => {
      const read = readConfig(schema, { [name]: 'x' })
      assert.deepEqual(read.unknown, [name])
      assert.deepEqual(read.meant, meant === undefined ? {} : { [name]: meant })
    })
  }

  for (const quote of ['"', "'"]) {
    it(`reports quotes (${quote}) that are a part of a wrong value, and not the value`, () => {
      const read = readConfig(schema, { POSTRIDER_ROUTE: `${quote}smtp://ada:secret@host${quote}` })
      const errors = 'errors' in read ? read.errors : []
      assert.deepEqual(errors, [
        'POSTRIDER_ROUTE: must be a URL; the value is in quotes, which are a part of it: remove them',
      ])
    })
  }

  it('reports no quotes where there are none, or only one', () => {
    for (const value of ['8080x', '"8080', '8080"', '"']) {
      const read = readConfig(schema, { PORT: value })
      assert.deepEqual('errors' in read ? read.errors : [], ['PORT: must be a port number'], value)
    }
  })
})
