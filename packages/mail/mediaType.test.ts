import assert from 'node:assert/strict'
import { contentTypeOf } from './mediaType.ts'

describe('contentTypeOf', () => {
  it('returns the type for the extension', () => {
    assert.equal(contentTypeOf('a.PDF'), 'application/pdf')
    assert.equal(contentTypeOf('logo.png'), 'image/png')
    assert.equal(contentTypeOf('photo.heic'), 'image/heic')
    assert.equal(contentTypeOf('sheet.xlsx'), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
  })

  it('returns application/octet-stream for a name without a known extension', () => {
    for (const name of ['unknown', 'png', 'a.unknown', 'constructor', 'a.constructor', '.', ''])
      assert.equal(contentTypeOf(name), 'application/octet-stream', name)
  })

  it('returns no composite type for a saved message', () => {
    for (const extension of ['eml', 'mht', 'mhtml', 'mime', 'nws', 'EML', 'eml '])
      assert.equal(contentTypeOf(`a.${extension}`), 'application/octet-stream', extension)
  })
})
