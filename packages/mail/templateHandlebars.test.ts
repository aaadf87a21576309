import assert from 'node:assert/strict'
import fc from 'fast-check'
import Handlebars from 'handlebars'
import { inOneStep } from '../../test/support/inOneStep.ts'
import { finish } from './steps.ts'
import { type TemplatePart, templateLimits } from './template.ts'
import { checkTemplate, parseTemplateSteps } from './templateParse.ts'
import { parseInPieces } from './templatePieces.ts'
import { renderBudget, renderTemplateSteps } from './templateRender.ts'
import { scanTemplate } from './templateScan.ts'

const parseTemplate = inOneStep(parseTemplateSteps)
const renderTemplate = inOneStep(renderTemplateSteps)

/** A record with one value of each kind, so that random templates find the values they name. */
const texts = fc.constantFrom('', 'a', '<b>&"\'`=', ' \n', '{{s}}', '0', 'ünï', '\\')
const record = (depth: number): fc.Arbitrary<Record<string, unknown>> =>
  fc.record({
    s: texts,
    n: fc.constantFrom(0, -0, 1, -1.5, 1e21, 1e-7),
    b: fc.boolean(),
    z: fc.constant(null),
    words: fc.array(fc.oneof(texts, fc.constantFrom(0, 7, true, false)), { maxLength: 3 }),
    ...(depth > 0 && { o: record(depth - 1), list: fc.array(record(depth - 1), { maxLength: 3 }) }),
  })

type Surroundings = { records: number; word: boolean; nesting: number; html: boolean }

const content = fc.constantFrom(
  'x',
  ' ',
  '\n',
  '  \n',
  '\r\n',
  '\t',
  '<p class="a">',
  '{',
  '}',
  ' y\n',
  ' \\{{s}}',
  '\\\\',
)
const tilde = fc.constantFrom('', '', '', '~')
const blank = fc.constantFrom('', '', ' ', '\n')

const tag = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(tilde, inner, blank, tilde).map(([open, text, space, close]) => `{{${open}${text}${space}${close}}}`)

const printable = ({ records, word }: Surroundings): string[] =>
  word ? ['this'] : ['s', 'n', 'b', 'z', 'this.s', 'words.length', ...(records > 0 ? ['o.s', 'this.o.z'] : [])]

const decisive = (surroundings: Surroundings): string[] =>
  surroundings.word
    ? ['this']
    : [...printable(surroundings), 'this', 'words', ...(surroundings.records > 0 ? ['o', 'list', 'o.words'] : [])]

/** Only strings are printed unescaped: Handlebars adds unescaped numbers, so `{{{n}}}{{{n}}}` of 1 prints 2 there. */
const print = (surroundings: Surroundings): fc.Arbitrary<string> => {
  const escaped = tag(fc.constantFrom(...printable(surroundings)))
  if (!surroundings.html || surroundings.word) return escaped
  const path = fc.constantFrom('s', 'z', 'this.s', ...(surroundings.records > 0 ? ['o.s'] : []))
  const raw = fc.tuple(tilde, path, tilde).map(([open, text, close]) => `{{${open}{${text}}${close}}}`)
  return fc.oneof(escaped, raw)
}

const unescapes: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#x60;': '`',
  '&#x3D;': '=',
}

const plain = (html: string): string => html.replace(/&[^;]+;/g, (entity) => unescapes[entity] ?? entity)

const otherwise = (surroundings: Surroundings): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constant(''),
    fc.tuple(tag(fc.constant('else')), nodes(surroundings)).map((pieces) => pieces.join('')),
    fc
      .tuple(
        tag(fc.constantFrom(...decisive(surroundings)).map((path) => `else if ${path}`)),
        nodes(surroundings),
        tag(fc.constant('else')),
        nodes(surroundings),
      )
      .map((pieces) => pieces.join('')),
  )

const block = (
  word: string,
  path: fc.Arbitrary<string>,
  surroundings: Surroundings,
  inside: Surroundings,
): fc.Arbitrary<string> =>
  fc
    .tuple(
      tag(path.map((name) => `#${word} ${name}`)),
      nodes(inside),
      otherwise(surroundings),
      tag(fc.constant(`/${word}`)),
    )
    .map((pieces) => pieces.join(''))

const blocks = (outer: Surroundings): fc.Arbitrary<string>[] => {
  const surroundings = { ...outer, nesting: outer.nesting - 1 }
  const path = fc.constantFrom(...decisive(surroundings))
  const conditions = [block('if', path, surroundings, surroundings), block('unless', path, surroundings, surroundings)]
  if (surroundings.word) return conditions
  const loops = [block('each', fc.constant('words'), surroundings, { ...surroundings, word: true })]
  if (surroundings.records > 0) {
    loops.push(
      block('each', fc.constantFrom('list', 'this.list'), surroundings, {
        ...surroundings,
        records: surroundings.records - 1,
      }),
    )
  }
  return [...conditions, ...loops]
}

const nodes = (surroundings: Surroundings): fc.Arbitrary<string> => {
  const comment = fc.constantFrom('{{! a }}', '{{!-- {{s}} --}}', '{{~! a ~}}', '\n{{! a }}\n')
  const leaves = [content, content, print(surroundings), comment]
  const node = fc.oneof(...leaves, ...(surroundings.nesting > 0 ? blocks(surroundings) : []))
  return fc.array(node, { maxLength: 5 }).map((pieces) => pieces.join(''))
}

describe('renderTemplate compared with Handlebars', () => {
  for (const part of ['html_body', 'text_body'] satisfies TemplatePart[]) {
    it(`prints in ${part} what Handlebars prints, over the whole permitted language`, () => {
      const html = part === 'html_body'
      const source = nodes({ records: 2, word: false, nesting: 3, html })
      const seed = Number(process.hrtime.bigint() % 2_147_483_647n)
      fc.assert(
        fc.property(source, record(2), (source, vars) => {
          const parsed = parseTemplate(source, part)
          // A brace of content may touch a tag; such a source is refused and skipped here.
          fc.pre(parsed.ok)
          const ours = renderTemplate(parsed.template, vars, renderBudget(Date.now))
          const theirs = Handlebars.compile(source)(vars)
          assert.deepEqual(ours, { ok: true, output: html ? theirs : plain(theirs) })
          const { tags } = finish(scanTemplate(source, part, templateLimits))
          for (const maxTags of [1, 3]) {
            const { template } = checkTemplate(finish(parseInPieces(source, tags, maxTags)), part)
            assert.deepEqual(template, parsed.template)
          }
        }),
        { seed, numRuns: 1000 },
      )
    })
  }
})
