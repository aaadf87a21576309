import assert from 'node:assert/strict'
import { attachmentName, checkContentId, checkContentType, contentTypeOf } from './attachments.ts'

const names: [filename: string, result: string][] = [
  ['invoice.pdf', 'invoice.pdf'],
  ['Rechnung Größe.pdf', 'Rechnung Größe.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\jane\\report.docx', 'report.docx'],
  ['/a/b/', '!invalid_filename'],
  ['..', '!invalid_filename'],
  ['', '!invalid_filename'],
  [' ', '!invalid_filename'],
  ['a"\r\nX: 1.txt', '!control_character'],
  ['x.pdf\0.exe', '!control_character'],
  ['x\u202efdp.txt', '!control_character'],
  ['x\u200b.txt', '!control_character'],
  ['x\ud800.txt', '!lone_surrogate'],
  ['x.exe', '!executable_attachment'],
  ['x.EXE', '!executable_attachment'],
  ['x.pdf.js', '!executable_attachment'],
  ['x.exe.', '!executable_attachment'],
  ['x.exe . ', '!executable_attachment'],
  ['x.exe::$DATA', '!executable_attachment'],
  ['a/b.scr', '!executable_attachment'],
  ['exe.pdf', 'exe.pdf'],
  ['notes', 'notes'],
  ['.env', '.env'],
  ['n'.repeat(255), 'n'.repeat(255)],
  ['n'.repeat(256), '!invalid_filename'],
  ['n'.repeat(1_000_000), '!invalid_filename'],
]

describe('attachmentName', () => {
  for (const [filename, expected] of names) {
    it(`${JSON.stringify(filename.slice(0, 40))} is ${expected.slice(0, 40)}`, () => {
      const result = attachmentName(filename)
      assert.equal(result.ok ? result.name : `!${result.code}`, expected)
    })
  }
})

const types: [contentType: string, code: string | null][] = [
  ['application/pdf', null],
  ['text/csv; charset=utf-8', null],
  ['text/calendar;method=REQUEST; charset="utf-8"', null],
  ['image/svg+xml', null],
  ['', 'invalid_content_type'],
  ['pdf', 'invalid_content_type'],
  ['application/', 'invalid_content_type'],
  ['text/plain;', 'invalid_content_type'],
  ['text/plain; charset', 'invalid_content_type'],
  ['text/plain; a="b', 'invalid_content_type'],
  ['text/plain; a=b c', 'invalid_content_type'],
  ['text/plän', 'invalid_content_type'],
  ['text/plain\r\nX: y', 'control_character'],
  ['text/plain; a="\r\n"', 'control_character'],
  ['multipart/mixed; boundary=x', 'invalid_content_type'],
  ['Message/rfc822', 'invalid_content_type'],
  [`text/${'x'.repeat(300)}`, 'invalid_content_type'],
]

describe('checkContentType', () => {
  for (const [contentType, code] of types) {
    it(`${JSON.stringify(contentType.slice(0, 40))} is ${code ?? 'allowed'}`, () => {
      assert.equal(checkContentType(contentType)?.code ?? null, code)
    })
  }
})

const ids: [contentId: string, code: string | null][] = [
  ['logo', null],
  ['logo.1@acme.example', null],
  ['', 'invalid_content_id'],
  ['<logo>', 'invalid_content_id'],
  ['a b', 'invalid_content_id'],
  ['lögo', 'invalid_content_id'],
  ['a>\r\nX:', 'control_character'],
  ['x'.repeat(129), 'invalid_content_id'],
]

describe('checkContentId', () => {
  for (const [contentId, code] of ids) {
    it(`${JSON.stringify(contentId.slice(0, 40))} is ${code ?? 'allowed'}`, () => {
      assert.equal(checkContentId(contentId)?.code ?? null, code)
    })
  }
})

describe('contentTypeOf', () => {
  it('returns the type for the extension', () => {
    assert.equal(contentTypeOf('a.PDF'), 'application/pdf')
    assert.equal(contentTypeOf('logo.png'), 'image/png')
    assert.equal(contentTypeOf('unknown'), 'application/octet-stream')
  })
})
