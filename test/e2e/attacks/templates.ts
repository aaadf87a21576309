import assert from 'node:assert/strict'
import type { Tenant } from '../../support/client.ts'
import { fresh } from '../../support/client.ts'
import type { Call } from '../../support/http.ts'
import { type Attack, invalid, malformed, type Refused } from './attack.ts'

type Parts = { subject?: unknown; html_body?: unknown; text_body?: unknown }

const save = (parts: Parts) => (): Call => ({
  path: '/api/v1/templates',
  json: { name: fresh('attack'), subject: 's', ...parts },
})

/** Saves a template, then sends with it: the request of the attack is the send. */
const render =
  (parts: Record<string, string>, vars: string) =>
  async (tenant: Tenant): Promise<Call> => {
    const { id } = await tenant.template(parts)
    return { path: '/api/v1/emails', body: `{"to":["${fresh()}"],"template_id":"${id}","template_vars":${vars}}` }
  }

const refusedAtSave = (no: number, source: string, code?: string): Attack => ({
  no,
  name: `saving ${source.length > 60 ? `${source.slice(0, 40)}… (${source.length})` : source}`,
  call: save({ html_body: source }),
  refused: invalid('html_body', code),
})

const refusedAtSend = (
  no: number,
  name: string,
  parts: Record<string, string>,
  vars: string,
  refused: Refused,
): Attack => ({
  no,
  name,
  call: render(parts, vars),
  refused,
})

const gadget =
  '{{#with "s" as |string|}}{{#with "e"}}{{#with split as |conslist|}}{{this.pop}}{{/with}}{{/with}}{{/with}}'
const recursion = '{{#*inline "p"}}{{> p}}{{/inline}}{{> p}}'
const missingVariable: Refused = { status: 422, code: 'validation_failed', problems: [{ code: 'missing_variable' }] }
const renderLimit: Refused = {
  status: 422,
  code: 'validation_failed',
  problems: [{ code: 'render_limit' }],
  cpuMs: 500,
}

const nested = (depth: number): string => `${'{{#if a}}'.repeat(depth)}x${'{{/if}}'.repeat(depth)}`

const entries = JSON.stringify({ a: Array.from({ length: 30_000 }, () => 1) })
/** 15 GB of output from half a megabyte of template and 60 kB of values. */
const outputBomb = `{{#each a}}${'x'.repeat(500_000)}{{/each}}`
/** 72 million turns that print nothing. */
const timeBomb = `{{#each a}}${'{{#if this}}{{/if}}'.repeat(2_400)}{{/each}}`

/** Cases 25–32: what a template or its values may not do. */
export const templateAttacks: Attack[] = [
  ...['constructor.constructor', '__proto__.polluted', 'a.__proto__.b'].map(
    (path): Attack => refusedAtSave(25, `{{${path}}}`, 'unknown_variable'),
  ),
  refusedAtSend(25, '{{toString}} finds nothing', { text_body: '{{toString}}' }, '{}', missingVariable),
  refusedAtSend(25, '{{hasOwnProperty}} finds nothing', { text_body: '{{hasOwnProperty}}' }, '{}', missingVariable),
  refusedAtSend(
    25,
    '{{a.length}} of a string finds nothing',
    { text_body: '{{a.length}}' },
    '{"a":"abc"}',
    missingVariable,
  ),
  refusedAtSave(25, '{{lookup this "constructor"}}'),
  refusedAtSave(25, gadget),
  refusedAtSave(25, '{{@root.a}}'),
  refusedAtSave(25, '{{../a}}'),
  refusedAtSave(25, '{{log "x"}}'),
  refusedAtSave(25, '{{#with a}}x{{/with}}'),
  refusedAtSave(25, '{{helper a}}'),
  refusedAtSave(25, '{{a b}}'),
  refusedAtSave(25, '{{> partial}}'),
  refusedAtSave(25, '{{[constructor]}}'),
  refusedAtSend(
    26,
    '__proto__ among the values',
    { text_body: 'x' },
    '{"__proto__":{"admin":1}}',
    malformed('reserved_key'),
  ),
  refusedAtSend(
    26,
    'constructor among the values',
    { text_body: 'x' },
    '{"constructor":{"prototype":{"admin":1}}}',
    malformed('reserved_key'),
  ),
  refusedAtSend(
    26,
    'prototype deep among the values',
    { text_body: 'x' },
    '{"a":{"b":{"prototype":1}}}',
    malformed('reserved_key'),
  ),
  refusedAtSend(
    26,
    '__proto__ spelled with an escape',
    { text_body: 'x' },
    '{"\\u005f_proto__":{"admin":1}}',
    malformed('reserved_key'),
  ),
  {
    no: 27,
    name: 'a template that is a syntax tree',
    call: save({ html_body: { type: 'Program', body: [{ type: 'MustacheStatement', path: 0 }] } }),
    refused: invalid('html_body'),
  },
  {
    no: 27,
    name: 'a subject that is an array',
    call: save({ subject: ['s'], text_body: 'x' }),
    refused: invalid('subject'),
  },
  refusedAtSave(28, recursion),
  refusedAtSave(28, '{{#each items as |item|}}{{> item}}{{/each}}'),
  refusedAtSave(28, nested(3_000)),
  refusedAtSend(
    28,
    'values of 10 MB',
    { text_body: '{{a}}' },
    JSON.stringify({ a: 'x'.repeat(10_000_000) }),
    invalid('template_vars'),
  ),
  refusedAtSend(28, 'more output than there is memory', { text_body: outputBomb }, entries, renderLimit),
  refusedAtSend(28, 'more turns than there is time', { text_body: timeBomb }, entries, renderLimit),
  {
    no: 29,
    name: 'markup in values is text, markup in {{{ }}} is the author’s wish, the subject is not escaped',
    call: render(
      { subject: 'S {{v}}', html_body: '<p>{{v}}</p>{{{raw}}}', text_body: '{{v}}' },
      '{"v":"<script>alert(1)</script> & \\"q\\"","raw":"<b>b</b>"}',
    ),
    taken: ({ mail }) => {
      assert.match(mail.html ?? '', /<p>&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; &quot;q&quot;<\/p><b>b<\/b>/)
      assert.equal(mail.subject, 'S <script>alert(1)</script> & "q"')
      assert.equal(mail.text?.trim(), '<script>alert(1)</script> & "q"')
    },
  },
  ...['\\r\\n', '\\n', '\\u0000', '\\u2028'].map((char) =>
    refusedAtSend(
      29,
      `a subject whose value has ${char}`,
      { subject: '{{v}}', text_body: 'x' },
      `{"v":"a${char}Bcc: e@z.example"}`,
      {
        status: 422,
        code: 'validation_failed',
        problems: [{ code: 'control_character' }],
      },
    ),
  ),
  ...['{"toHTML":"x"}', '{}', '[1,2]', '[]'].map((value) =>
    refusedAtSend(30, `the value ${value} where text is wanted`, { text_body: '{{v}}' }, `{"v":${value}}`, {
      status: 422,
      code: 'validation_failed',
    }),
  ),
  {
    no: 30,
    name: 'numbers, booleans and null have their text',
    call: render({ text_body: '[{{n}}][{{t}}][{{f}}][{{z}}]' }, '{"n":1.5,"t":true,"f":false,"z":null}'),
    taken: ({ mail }) => assert.equal(mail.text?.trim(), '[1.5][true][false][]'),
  },
  {
    no: 32,
    name: '64 kB of bad syntax',
    call: save({ html_body: `${'line\n'.repeat(2)}${'{{#if '.repeat(11_000)}` }),
    refused: { ...invalid('html_body'), cpuMs: 500 },
  },
  ...['{{', '{{{a}}', '{{#if a}}', '{{/if}}', '{{#if a}}{{/each}}', '{{else}}', 'a }} {{ b'].map((source) =>
    refusedAtSave(32, source),
  ),
]
