import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TemplatePart, templateLimits } from '@postrider/mail/template.ts'
import { parseTemplateSteps } from '@postrider/mail/templateParse.ts'
import { renderLimits } from '@postrider/mail/templateRender.ts'
import { templateRenderer } from '@postrider/mail/templateRenderer.ts'
import { inOneStep } from './support/inOneStep.ts'
import { root } from './support/project.ts'

const parseTemplate = inOneStep(parseTemplateSteps)

const page = readFileSync(join(root, 'docs/templates.md'), 'utf8')

type Example = { part: TemplatePart; source: string; vars: Record<string, unknown>; result: string }

/** The blocks of the page: a part of a template, its values, and the result. */
const examples: Example[] = [
  ...page.matchAll(
    /^```(subject|html_body|text_body)\n(.*?)\n```\n\n```template_vars\n(.*?)\n```\n\n```result\n(.*?)\n```$/gms,
  ),
].map(([, part, source = '', vars = '', result = '']) => ({
  part: part as TemplatePart,
  source,
  vars: JSON.parse(vars),
  result,
}))

/** The rows of the table of what is refused. */
const refusals = [...page.matchAll(/^\| `(\{\{.*?)` \| `(\w+)`: (.*) \|$/gm)].map(([, source = '', code, message]) => ({
  source,
  code,
  message: message ?? '',
}))

const render = ({ part, source, vars }: Example): string | null => {
  const { render: renderTemplate } = templateRenderer({ elapsed: () => 0 })
  const template = {
    id: 'tpl_1',
    version: 1,
    subject: part === 'subject' ? source : 'Subject',
    htmlBody: part === 'html_body' ? source : null,
    textBody: part === 'text_body' ? source : null,
  }
  const rendered = renderTemplate(template, vars)
  assert.ok(rendered.ok, JSON.stringify(rendered))
  return { subject: rendered.subject, html_body: rendered.html, text_body: rendered.text }[part]
}

describe('docs/templates.md', () => {
  it('has examples of every part, each with values and a result', () => {
    assert.deepEqual(new Set(examples.map(({ part }) => part)), new Set(['subject', 'html_body', 'text_body']))
    assert.equal(examples.length, [...page.matchAll(/^```\w/gm)].length / 3)
    assert.ok(refusals.length > 15)
  })

  for (const example of examples)
    it(`shows what is rendered: ${example.source.split('\n', 1)[0]}`, () => {
      // A line break at the end is not visible on the page.
      assert.equal(render(example)?.replace(/\n$/, ''), example.result)
    })

  for (const { source, code, message } of refusals)
    it(`shows how ${source} is refused`, () => {
      const parsed = parseTemplate(source, 'text_body')
      const [problem] = parsed.ok ? [] : parsed.problems
      assert.equal(problem?.code, code)
      assert.match(problem?.message ?? '', /^Line 1, column \d+: /)
      assert.ok(problem?.message.includes(message), problem?.message)
    })

  it('names the limits of the renderer and of the parser', () => {
    const { variables, tags, depth, partBytes } = templateLimits
    const { outputBytes, timeMs } = renderLimits
    for (const limit of [
      `| ${partBytes / 1_024} KiB each`,
      `| ${variables} different ones; ${tags.toLocaleString('en')} tags; blocks nested ${depth} levels deep |`,
      `| ${outputBytes / 2 ** 20} MiB and ${timeMs} ms`,
    ]) {
      assert.ok(page.includes(limit), limit)
    }
  })
})
