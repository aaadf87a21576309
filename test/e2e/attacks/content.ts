import assert from 'node:assert/strict'
import { assertSmtpSafe, headerValues } from '../../support/receivedMessage.ts'
import { type Attack, invalid } from './attack.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const refusedHeader = (name: string): Attack => ({
  number: 17,
  name: `header ${JSON.stringify(name)}`,
  mail: { headers: { [name]: 'x' } },
  refused: { status: 422, code: 'validation_failed', problems: [{ code: 'header_not_allowed' }] },
})

const attachment = (over: Record<string, unknown>): Record<string, unknown> => ({
  attachments: [{ filename: 'a.txt', content: base64('x'), ...over }],
})

const refusedAttachment = (number: number, name: string, over: Record<string, unknown>, path: string): Attack => ({
  number,
  name,
  mail: attachment(over),
  refused: invalid(`attachments[0].${path}`),
})

const addressing = [
  'Bcc',
  'bcc',
  'To',
  'Cc',
  'From',
  'Sender',
  'Subject',
  'Date',
  'Return-Path',
  'DKIM-Signature',
  'ARC-Seal',
  'Received',
  'Authentication-Results',
]
const structure = ['Content-Type', 'Content-Transfer-Encoding', 'MIME-Version', 'Message-ID', 'Resent-To']
const malformedNames = ['X\r\nY', 'X:Y', 'X Y', 'X\0', 'Ünicode', '']

/** Attacks 17–22: header fields, attachments, and content that makes the server read files or URLs. */
export const contentAttacks: Attack[] = [
  ...[...addressing, ...structure, ...malformedNames].map(refusedHeader),
  {
    number: 17,
    name: 'a thousand headers',
    mail: { headers: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`X-H${i}`, 'x'])) },
    refused: { status: 422, code: 'validation_failed', problems: [{ code: 'too_many_headers' }] },
  },
  {
    number: 17,
    name: 'a header value with a line break',
    mail: { headers: { 'X-A': 'x\r\nBcc: e@z.example' } },
    refused: { status: 422, code: 'validation_failed', problems: [{ code: 'control_character' }] },
  },
  {
    number: 18,
    name: 'a header value of 100 kB',
    mail: { headers: { 'X-Long': 'x'.repeat(100_000) } },
    refused: { status: 422, code: 'validation_failed' },
  },
  {
    number: 18,
    name: 'sends a header value of 900 characters without spaces unchanged',
    mail: { headers: { 'X-Long': 'x'.repeat(900) } },
    accepted: ({ mail, raw }) => {
      assertSmtpSafe(raw)
      assert.equal(headerValues(mail, 'x-long')[0]?.trim(), 'x'.repeat(900))
    },
  },
  {
    number: 18,
    name: 'folds a long header value of words so that it unfolds unchanged',
    mail: { headers: { 'X-Long': 'word '.repeat(199).trim() } },
    accepted: ({ mail, raw }) => {
      assertSmtpSafe(raw)
      assert.equal(headerValues(mail, 'x-long')[0], 'word '.repeat(199).trim())
    },
  },
  refusedAttachment(19, 'a filename with a line break', { filename: 'a"\r\nX: 1.txt' }, 'filename'),
  refusedAttachment(19, 'a filename with NUL', { filename: 'x.pdf\0.exe' }, 'filename'),
  refusedAttachment(
    19,
    'a filename with a bidirectional control character',
    { filename: 'x\u202efdp.exe' },
    'filename',
  ),
  ...['../../etc/passwd', '/etc/passwd', 'C:\\Windows\\passwd'].map(
    (filename): Attack => ({
      number: 19,
      name: `removes the path from the filename ${filename}`,
      mail: attachment({ filename }),
      accepted: ({ mail }) => assert.equal(mail.attachments[0]?.filename, 'passwd'),
    }),
  ),
  {
    number: 19,
    name: 'sends a filename with quotes and semicolons unchanged',
    mail: attachment({ filename: 'a"; b=c; x="d.txt' }),
    accepted: ({ mail }) => assert.equal(mail.attachments[0]?.filename, 'a"; b=c; x="d.txt'),
  },
  refusedAttachment(19, 'a filename with a parameter', { filename: 'a"; name=b; x="c.txt' }, 'filename'),
  refusedAttachment(20, 'a content_type with a line break', { content_type: 'text/plain\r\nX: y' }, 'content_type'),
  refusedAttachment(20, 'a multipart content_type', { content_type: 'multipart/mixed; boundary=x' }, 'content_type'),
  refusedAttachment(20, 'a content_id with a line break', { content_id: 'a>\r\nX:' }, 'content_id'),
  refusedAttachment(20, 'a content_id with brackets', { content_id: 'a><b' }, 'content_id'),
  { number: 21, name: 'html that names a file', mail: { html: { path: '/etc/passwd' } }, refused: invalid('html') },
  {
    number: 21,
    name: 'text that names a URL',
    mail: { text: { href: 'http://169.254.169.254/' } },
    refused: invalid('text'),
  },
  ...['raw', 'href', 'path', 'envelope', 'list', 'icalEvent', 'amp', 'dkim', 'encoding'].map(
    (name): Attack => ({
      number: 21,
      name: `the field ${name}`,
      mail: { [name]: 'x' },
      refused: invalid(name, 'unknown_field'),
    }),
  ),
  refusedAttachment(21, 'an attachment that names a URL', { path: 'http://169.254.169.254' }, 'path'),
  refusedAttachment(21, 'an attachment with raw', { raw: 'x' }, 'raw'),
  refusedAttachment(21, 'an attachment whose content is an object', { content: { path: '/etc/passwd' } }, 'content'),
  refusedAttachment(22, 'content that is not base64', { content: '***' }, 'content'),
  refusedAttachment(22, 'base64 content of an invalid length', { content: 'QUJDR' }, 'content'),
  refusedAttachment(22, 'content that is a data: URI', { content: 'data:text/plain;base64,QUJD' }, 'content'),
  {
    number: 22,
    name: '26 MiB of attachment',
    mail: attachment({ content: 'A'.repeat(26 * 1024 * 1024) }),
    refused: { status: 413, code: 'too_large' },
  },
  {
    number: 22,
    name: 'a thousand empty attachments',
    mail: { attachments: Array.from({ length: 1_000 }, () => ({ filename: 'a.txt', content: '' })) },
    refused: invalid('attachments'),
  },
]
