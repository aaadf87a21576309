import assert from 'node:assert/strict'
import otherTypes from 'mime/types/other.js'
import standardTypes from 'mime/types/standard.js'
import { attachmentName, checkContentType } from './attachments.ts'
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

  // The default for `.pm` was a type that is refused if the request names it.
  it('returns no type that is refused, for every extension of the library', () => {
    const extensions = [standardTypes, otherTypes].flatMap((types) => Object.values(types).flat())
    assert.ok(extensions.length > 1_000)
    for (const extension of extensions) {
      const name = `a.${extension.replace('*', '')}`
      if (attachmentName(name).ok) assert.equal(checkContentType(contentTypeOf(name)), null, name)
    }
  })
})
