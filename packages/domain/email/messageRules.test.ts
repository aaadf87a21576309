import assert from 'node:assert/strict'
import { contentProblems } from './messageRules.ts'

const template = { template_id: 'tpl_1', template_vars: {} }
const content = { subject: 'Hello', text: 'Hello' }

describe('content of a message', () => {
  const cases: [name: string, fields: Record<string, unknown>, problems: string[]][] = [
    ['may be its own subject and text', content, []],
    ['may be its own subject and HTML', { subject: 'Hello', html: '<p>Hello</p>' }, []],
    ['may be a template', template, []],
    ['requires a subject and a body', {}, ['subject missing', 'html missing']],
    ['counts null as absent', { subject: null, text: null, template_id: null }, ['subject missing', 'html missing']],
    [
      'refuses values and a version without a template',
      { ...content, template_vars: {}, template_version: 2 },
      ['template_id missing', 'template_id missing'],
    ],
    ['requires the values of a template', { template_id: 'tpl_1' }, ['template_vars missing']],
    [
      'refuses what a template provides',
      { ...template, ...content, html: '' },
      ['subject not_with_template', 'html not_with_template', 'text not_with_template'],
    ],
  ]
  for (const [name, fields, expected] of cases)
    it(name, () =>
      assert.deepEqual(
        contentProblems(fields).map(({ path, code }) => `${path} ${code}`),
        expected,
      ),
    )
})
