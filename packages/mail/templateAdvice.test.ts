import assert from 'node:assert/strict'
import { assertStepsBelow } from '../../test/support/cost.ts'
import { inOneStep } from '../../test/support/inOneStep.ts'
import { finish } from './steps.ts'
import { templateAdviceSteps } from './templateAdvice.ts'
import { parseTemplateSteps } from './templateParse.ts'

const parseTemplate = inOneStep(parseTemplateSteps)

const partOf = (source: string | null, part: 'html_body' | 'text_body') => {
  if (source === null) return null
  const parsed = parseTemplate(source, part)
  assert.ok(parsed.ok)
  return { source, parsed: parsed.template }
}

const adviceOn = (html: string | null, text: string | null): string[] =>
  finish(templateAdviceSteps({ html: partOf(html, 'html_body'), text: partOf(text, 'text_body') }))

describe('advice on a template', () => {
  for (const [what, html, text, expected] of [
    ['nothing for text alone', null, 'Hi {{name}}', []],
    ['nothing for two equal bodies', '<p>{{name}}</p>', '{{name}}', []],
    ['that there is no text part', '<p>Hi</p>', null, [/no text_body/]],
    ['an image without alt', '<IMG src="x">', '', [/an image without/]],
    ['the number of images', '<img><img alt><img alt=""><img title="a > b" alt="x"><img src=\'y\'/>', '', [/2 images/]],
    ['no image of a comment', '<!-- <img> -->', '', []],
    ['no image of a value', '<p title="<img>">', '', []],
    ['URLs with http', '<a href="http://a.example">', '', [/a URL with http/]],
    ['URLs in upper case or without quotes', '<A HREF=HTTP://a.example><img alt="" src= "http://b">', '', [/2 URLs/]],
    ['no URL in a text or with https', '<a href="https://a.example">http://a.example</a>', '', []],
    ['over 102 kB', 'x'.repeat(102_001), '', [/103 kB/]],
    ['nothing at 102 kB', 'x'.repeat(102_000), '', []],
    ['variables of the HTML alone', '{{a}}{{b}}', '{{b}}', [/Only html_body uses a;/]],
    ['variables of the text alone', '{{b}}', '{{a}} {{b}} {{c}}', [/Only text_body uses a, c;/]],
    ['nothing after a tag that is never closed', '<a title="<img>', '', []],
  ] as const)
    it(`reports ${what}`, () => {
      const found = adviceOn(html, text)
      assert.equal(found.length, expected.length, found.join('\n'))
      for (const [index, pattern] of expected.entries()) assert.match(found[index] ?? '', pattern)
    })

  // The attributes of one tag were read in one step, which took 50 ms.
  for (const unit of ['a ', 'a= ', "a='", '=" ', `'`, ' ', `a="b `])
    it(`is given in short steps on a tag with many times ${unit}`, () => {
      const source = `<a ${unit.repeat(Math.floor((512 * 1024 - 4) / unit.length))}>`
      return assertStepsBelow(12, () => templateAdviceSteps({ html: partOf(source, 'html_body'), text: null }))
    })
})
