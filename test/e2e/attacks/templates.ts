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

/** Saves a template and returns a request that sends it. */
const render =
  (parts: Record<string, string>, vars: string) =>
  async (tenant: Tenant): Promise<Call> => {
    const { id } = await tenant.template(parts)
    return { path: '/api/v1/emails', body: `{"to":["${fresh()}"],"template_id":"${id}","template_vars":${vars}}` }
  }

const refusedAtSave = (number: number, source: string, code?: string): Attack => ({
  number,
  name: `the template ${source.length > 60 ? `${source.slice(0, 40)}… (${source.length})` : source}`,
  call: save({ html_body: source }),
  refused: invalid('html_body', code),
})

const refusedAtSend = (
  number: number,
  name: string,
  parts: Record<string, string>,
  vars: string,
  refused: Refused,
): Attack => ({
  number,
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
/** Renders 15 GB of output from a template of 500 kB and 60 kB of values. */
const outputBomb = `{{#each a}}${'x'.repeat(500_000)}{{/each}}`
/** Evaluates 72 million blocks that print nothing. */
const timeBomb = `{{#each a}}${'{{#if this}}{{/if}}'.repeat(2_400)}{{/each}}`

/** Attacks 25–32: templates and their values. */
export const templateAttacks: Attack[] = [
  ...['constructor.constructor', '__proto__.polluted', 'a.__proto__.b'].map(
    (path): Attack => refusedAtSave(25, `{{${path}}}`, 'unknown_variable'),
  ),
  refusedAtSend(
    25,
    'a send of {{toString}}, which is no variable',
    { text_body: '{{toString}}' },
    '{}',
    missingVariable,
  ),
  refusedAtSend(
    25,
    'a send of {{hasOwnProperty}}, which is no variable',
    { text_body: '{{hasOwnProperty}}' },
    '{}',
    missingVariable,
  ),
  refusedAtSend(
    25,
    'a send of {{a.length}} with a string, which has no such member',
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
  refusedAtSend(26, 'a variable __proto__', { text_body: 'x' }, '{"__proto__":{"admin":1}}', malformed('reserved_key')),
  refusedAtSend(
    26,
    'a variable constructor',
    { text_body: 'x' },
    '{"constructor":{"prototype":{"admin":1}}}',
    malformed('reserved_key'),
  ),
  refusedAtSend(
    26,
    'a nested variable prototype',
    { text_body: 'x' },
    '{"a":{"b":{"prototype":1}}}',
    malformed('reserved_key'),
  ),
  refusedAtSend(
    26,
    'an escaped variable __proto__',
    { text_body: 'x' },
    '{"\\u005f_proto__":{"admin":1}}',
    malformed('reserved_key'),
  ),
  {
    number: 27,
    name: 'a template that is a syntax tree',
    call: save({ html_body: { type: 'Program', body: [{ type: 'MustacheStatement', path: 0 }] } }),
    refused: invalid('html_body'),
  },
  {
    number: 27,
    name: 'a subject that is an array',
    call: save({ subject: ['s'], text_body: 'x' }),
    refused: invalid('subject'),
  },
  refusedAtSave(28, recursion),
  refusedAtSave(28, '{{#each items as |item|}}{{> item}}{{/each}}'),
  refusedAtSave(28, nested(3_000)),
  refusedAtSend(
    28,
    'template_vars of 10 MB',
    { text_body: '{{a}}' },
    JSON.stringify({ a: 'x'.repeat(10_000_000) }),
    invalid('template_vars'),
  ),
  refusedAtSend(
    28,
    'a template that renders more output than fits in memory',
    { text_body: outputBomb },
    entries,
    renderLimit,
  ),
  refusedAtSend(28, 'a template that renders for a long time', { text_body: timeBomb }, entries, renderLimit),
  {
    number: 29,
    name: 'escapes values in HTML except for {{{ }}}, and not in the subject and text',
    call: render(
      { subject: 'S {{v}}', html_body: '<p>{{v}}</p>{{{raw}}}', text_body: '{{v}}' },
      '{"v":"<script>alert(1)</script> & \\"q\\"","raw":"<b>b</b>"}',
    ),
    accepted: ({ mail }) => {
      assert.match(mail.html ?? '', /<p>&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; &quot;q&quot;<\/p><b>b<\/b>/)
      assert.equal(mail.subject, 'S <script>alert(1)</script> & "q"')
      assert.equal(mail.text?.trim(), '<script>alert(1)</script> & "q"')
    },
  },
  ...['\\r\\n', '\\n', '\\u0000', '\\u2028'].map((char) =>
    refusedAtSend(
      29,
      `a value with ${char} in the subject`,
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
    refusedAtSend(30, `the value ${value} for a variable that is printed`, { text_body: '{{v}}' }, `{"v":${value}}`, {
      status: 422,
      code: 'validation_failed',
    }),
  ),
  {
    number: 30,
    name: 'prints numbers and booleans as text and null as nothing',
    call: render({ text_body: '[{{n}}][{{t}}][{{f}}][{{z}}]' }, '{"n":1.5,"t":true,"f":false,"z":null}'),
    accepted: ({ mail }) => assert.equal(mail.text?.trim(), '[1.5][true][false][]'),
  },
  {
    number: 32,
    name: '64 kB of invalid syntax',
    call: save({ html_body: `${'line\n'.repeat(2)}${'{{#if '.repeat(11_000)}` }),
    refused: { ...invalid('html_body'), cpuMs: 500 },
  },
  ...['{{', '{{{a}}', '{{#if a}}', '{{/if}}', '{{#if a}}{{/each}}', '{{else}}', 'a }} {{ b'].map((source) =>
    refusedAtSave(32, source),
  ),
]
