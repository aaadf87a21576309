import assert from 'node:assert/strict'
import { checkHeader, checkHeaderPrefix } from './headers.ts'
import { readPrefix } from './providerHeaders.ts'

const long = 'x'.repeat(998)
const fields: [name: string, value: string, code: string | null][] = [
  ['X-Test-Id', '17', null],
  ['x-entity-ref-id', '17', null],
  ['X-Campaign_1', 'Größe 東京', null],
  ['References', '<a@b> <c@d>', null],
  ['In-Reply-To', '<a@b>', null],
  ['Auto-Submitted', 'auto-generated', null],
  ['Feedback-ID', 'a:b:c', null],
  ['List-Id', '<news.example.com>', null],
  ['Precedence', 'bulk', null],
  ['X-Empty', '', null],
  ['X-Long', long, null],
  ['X-Long', `${long}x`, 'header_too_long'],
  ['X-Long', 'x'.repeat(100_000), 'header_too_long'],
  ['X-Lines', 'a\r\nBcc: e@z', 'control_character'],
  ['X-Lines', 'a\nb', 'control_character'],
  ['X-Nul', 'a\0b', 'control_character'],
  ['X-Half', 'a\ud800', 'lone_surrogate'],
  ['X-', 'a', 'header_not_allowed'],
  ['', 'a', 'header_not_allowed'],
  ['X\r\nY', 'a', 'header_not_allowed'],
  ['X-A\r\nBcc', 'a', 'header_not_allowed'],
  ['X:Y', 'a', 'header_not_allowed'],
  ['X-A:B', 'a', 'header_not_allowed'],
  ['X A', 'a', 'header_not_allowed'],
  ['X-Ä', 'a', 'header_not_allowed'],
  [`X-${'a'.repeat(80)}`, 'a', 'header_not_allowed'],
  ['__proto__', 'a', 'header_not_allowed'],
  ...[
    'From',
    'To',
    'Cc',
    'BCC',
    'Sender',
    'Reply-To',
    'Date',
    'Subject',
    'Message-ID',
    'MIME-Version',
    'Content-Type',
    'content-transfer-encoding',
    'DKIM-Signature',
    'ARC-Seal',
    'Authentication-Results',
    'Return-Path',
    'Received',
    'Resent-To',
    'Disposition-Notification-To',
    'Return-Receipt-To',
    'Apparently-To',
    'Errors-To',
    'List-Unsubscribe',
    'List-Unsubscribe-Post',
  ].map((name): [string, string, string] => [name, 'a', 'header_not_allowed']),
]

describe('checkHeader', () => {
  for (const [name, value, code] of fields) {
    it(`${JSON.stringify(`${name}: ${value}`.slice(0, 40))} is ${code ?? 'allowed'}`, () => {
      assert.equal(checkHeader(name, value)?.code ?? null, code)
    })
  }
})

