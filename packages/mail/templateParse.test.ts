import assert from 'node:assert/strict'
import fc from 'fast-check'
import Handlebars from 'handlebars'
import { assertCpuBelow, assertStepsBelow } from '../../test/support/cost.ts'
import { inOneStep } from '../../test/support/inOneStep.ts'
import { finish } from './steps.ts'
import { type TemplatePart, templateLimits } from './template.ts'
import { checkTemplate, parseTemplateSteps } from './templateParse.ts'
import { parseInPieces } from './templatePieces.ts'
import { scanTemplate } from './templateScan.ts'

const parseTemplate = inOneStep(parseTemplateSteps)

const variablesOf = (source: string, part: TemplatePart = 'html_body'): readonly string[] => {
  const parsed = parseTemplate(source, part)
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return parsed.template.variables
}

const problemsOf = (source: string, part: TemplatePart = 'html_body'): string[] => {
  const parsed = parseTemplate(source, part)
  assert.ok(!parsed.ok, `${source.slice(0, 80)} was accepted`)
  return parsed.problems.map(({ code, message }) => `${code} ${message}`)
}

const permitted = [
  'no tags at all, { one brace }, }} closing ones',
  '{{name}} {{ name }} {{\nname\n}} {{~name~}} {{_a-b9}}',
  '{{order.total}} {{this.order.total}} {{items.length}}',
  '{{{raw}}} {{{ raw }}} {{~{raw}~}}',
  '{{#if a}}1{{else}}2{{/if}} {{#unless a}}1{{/unless}} {{# if a }}{{/ if }}',
  '{{#if a}}1{{else if b}}2{{ else if c }}3{{else}}4{{/if}}',
  '{{#each items}}{{this}} {{this.name}} {{name}}{{else}}none{{/each}}',
  '{{! a comment }} {{!-- one with }} and {{#if}} --}} {{~!-- x --~}} {{!--}}',
  'escaped \\{{#if}} and a backslash \\\\{{name}}',
  '{{elsewhere}} {{ifs}} {{this.log}} {{trueish}}',
]

const forbidden: readonly [source: string, problem: RegExp][] = [
  ['{{> header}}', /^template_forbidden .*partials/],
  ['{{#> layout}}{{/layout}}', /^template_forbidden .*partials/],
  ['{{#*inline "p"}}{{> p}}{{/inline}}{{> p}}', /^template_forbidden .*decorators/],
  ['{{* activate}}', /^template_forbidden .*decorators/],
  ['{{lookup this "constructor"}}', /^template_forbidden .*literals/],
  ['{{lookup this name}}', /^template_forbidden .*helpers/],
  ['{{log name}}', /^template_forbidden .*helpers/],
  ['{{log}}', /^template_forbidden .*keyword of the template language/],
  ['{{#if each}}{{/if}}', /^template_forbidden .*keyword of the template language/],
  ['{{#with a}}{{/with}}', /^template_forbidden .*only blocks/],
  ['{{#name}}{{/name}}', /^template_forbidden .*only blocks/],
  ['{{^name}}{{/name}}', /^template_forbidden .*#unless/],
  ['{{#if a}}{{^}}{{/if}}', /^template_forbidden .*else/],
  ['{{upper name}}', /^template_syntax .*no spaces/],
  ['{{a b}}', /^template_syntax Line 1, column 1: \{\{a b\}\}: a name has no spaces/],
  ['{{@root.name}}', /^template_forbidden .*@root/],
  ['{{#each a}}{{@index}}{{/each}}', /^template_forbidden .*@index/],
  ['{{#each a}}{{../b}}{{/each}}', /^template_forbidden .*\.\.\//],
  ['{{(a)}}', /^template_forbidden .*subexpressions/],
  ['{{#if (a)}}{{/if}}', /^template_forbidden .*subexpressions/],
  ['{{"a"}}', /^template_forbidden .*literals/],
  ['{{12}}', /^template_forbidden .*literals/],
  ['{{true}}', /^template_forbidden .*literal/],
  ['{{a.true}}', /^template_forbidden .*literal/],
  ['{{#if null}}{{/if}}', /^template_forbidden .*literal/],
  ['{{#if a includeZero=true}}{{/if}}', /^template_forbidden .*options/],
  ['{{#each a as |b|}}{{/each}}', /^template_forbidden .*block parameters/],
  ['{{&a}}', /^template_forbidden .*\{\{\{ \}\}\}/],
  ['{{{{raw}}}}{{{{/raw}}}}', /^template_forbidden .*raw blocks/],
  ['{{{{if a}}}}{{{{/if}}}}', /^template_forbidden .*raw blocks/],
  ['{{constructor.constructor}}', /^unknown_variable .*"constructor"/],
  ['{{a.__proto__}}', /^unknown_variable .*"__proto__"/],
  ['{{#if prototype}}{{/if}}', /^unknown_variable .*"prototype"/],
  ['{{this}}', /^template_forbidden .*only allowed inside/],
  ['{{a.this}}', /^template_syntax .*start of a path/],
  ['{{else.a}}', /^template_forbidden .*keyword of the template language/],
  ['{{else-a}}', /^template_forbidden .*keyword of the template language/],
  ['{{}}', /^template_syntax .*has no name/],
  ['{{~}}', /^template_syntax .*has no name/],
  ['{{.}} {{./a}}', /^template_syntax/],
  ['{{a/b}}', /^template_syntax/],
  ['{{[a]}}', /^template_syntax/],
  ['{{a..b}}', /^template_syntax/],
  ['{{über}}', /^template_syntax/],
  [`{{${'a'.repeat(256)}}}`, /^template_forbidden .*255/],
  ['{{{a}}', /^template_syntax .*braces differ/],
  ['p {color: {{a}}}', /^template_syntax Line 1, column 11: .*braces differ/],
  ['{{{a}}}}', /^template_syntax .*braces differ/],
  ['text {{a', /^template_syntax Line 1, column 6: these braces are never closed/],
  ['text {{!-- a }}', /^template_syntax Line 1, column 6: .*never closed/],
  ['{{#if}}{{/if}}', /^template_syntax .*exactly one name/],
  ['{{#if a b}}{{/if}}', /^template_syntax .*exactly one name/],
  ['{{#if a}}', /^template_syntax Line 1, column 1: \{\{#if\}\} is never closed/],
  ['{{/if}}', /^template_syntax .*closes no block/],
  ['{{#if a}}{{/each}}', /^template_syntax Line 1, column 10: expected \{\{\/if\}\} instead of \{\{\/each\}\}/],
  ['{{else}}', /^template_syntax .*outside/],
  ['{{#if a}}{{else}}{{else}}{{/if}}', /^template_syntax .*already/],
  ['a\0b', /^control_character Line 1, column 2/],
]

describe('parseTemplate', () => {
  for (const source of permitted) {
    it(`accepts ${source.slice(0, 60)}`, () => assert.ok(parseTemplate(source, 'html_body').ok))
  }

  for (const [source, problem] of forbidden) {
    it(`refuses ${source.slice(0, 60)}`, () => assert.match(problemsOf(source)[0] ?? '', problem))
  }

  it('reports all problems together, with line and column', () => {
    assert.deepEqual(problemsOf('Hello {{a b}},\r\n  {{> x}}\n{{#if a}}{{/if}}{{@key}}'), [
      'template_syntax Line 1, column 7: {{a b}}: a name has no spaces, and helpers are not supported.',
      'template_forbidden Line 2, column 3: {{> x}}: partials are not supported.',
      'template_forbidden Line 3, column 17: {{@key}}: data variables such as @root and @index are not supported.',
    ])
  })

  it('lists each variable once, in order of appearance, without those of items', () => {
    const source = '{{b}}{{#if a}}{{order.total}}{{b}}{{/if}}{{#each items}}{{name}}{{else}}{{c}}{{/each}}{{this.d}}'
    assert.deepEqual(variablesOf(source), ['b', 'a', 'order.total', 'items', 'c', 'd'])
  })

  it('accepts {{this}} only inside a loop, and reports its position in a large template', () => {
    for (const source of ['{{this}}', '{{#each a}}{{else}}{{this}}{{/each}}', '{{#if a}}{{{this}}}{{/if}}']) {
      assert.match(problemsOf(source)[0] ?? '', /^template_forbidden .*only allowed inside \{\{#each\}\}/)
    }
    assert.deepEqual(variablesOf('{{#each a}}{{#if b}}{{this}}{{/if}}{{/each}}{{#if this}}{{/if}}'), ['a'])
    const problem = /^template_forbidden Line 1001, column 2: \{\{this\}\}/
    assert.match(problemsOf(`${'{{a}}\n'.repeat(1_000)} {{this}}`)[0] ?? '', problem)
  })

  it('accepts {{{name}}} only in html_body', () => {
    assert.deepEqual(variablesOf('{{{a}}}', 'html_body'), ['a'])
    for (const part of ['subject', 'text_body'] as const)
      assert.match(problemsOf('{{{a}}}', part)[0] ?? '', /html_body/)
  })

  it('refuses line breaks and control characters only in a subject', () => {
    for (const source of ['a\r\nBcc: e@z', 'a\tb', 'a\u2028b', '{{\na}}']) {
      assert.match(problemsOf(source, 'subject')[0] ?? '', /^control_character/)
      assert.ok(parseTemplate(source, 'text_body').ok)
    }
  })

  it('accepts at most 100 variables, including those of items', () => {
    const tags = (count: number) => Array.from({ length: count }, (_, i) => `{{v${i}}}`).join('')
    assert.equal(variablesOf(tags(100)).length, 100)
    assert.match(problemsOf(tags(101))[0] ?? '', /^too_many_variables .*101 variables; at most 100/)
    assert.match(problemsOf(`${tags(99)}{{#each a}}{{b}}{{/each}}`)[0] ?? '', /^too_many_variables/)
  })

  it('accepts at most 512 KiB, counted in bytes', () => {
    assert.ok(parseTemplate('a'.repeat(512 * 1024), 'text_body').ok)
    assert.match(problemsOf('é'.repeat(256 * 1024 + 1))[0] ?? '', /^too_long .*524288/)
  })

  it('refuses a syntax tree instead of a string', () => {
    const tree = { type: 'Program', body: [] } as unknown as string
    assert.throws(() => parseTemplate(tree, 'html_body'), TypeError)
  })
})

describe('a template made to stall the parser', () => {
  const sized = (unit: string) => unit.repeat(Math.floor(templateLimits.partBytes / unit.length))
  const cases: Record<string, string> = {
    '3,000 nested ifs': '{{#if a}}'.repeat(3000) + '{{/if}}'.repeat(3000),
    '3,000 else ifs': `{{#if a}}${'{{else if b}}'.repeat(3000)}{{/if}}`,
    'nested ifs hidden from a count by comments': '{{#if a}}{{!-- {{/if}} --}}\\{{/if}}'.repeat(3000),
    '100,000 tags': sized('{{a}}'),
    '170,000 comments': sized('{{!}}'),
    'openings without ends': sized('{{'),
    'openings of each kind': sized('{{! {{!-- {{{ {{# '),
    'tags of bad syntax': sized('{{a b}}'),
    'a string that never ends': `{{a "${sized('\\"')}`.slice(0, templateLimits.partBytes),
    'a long run of blanks': sized(' ').slice(9) + '{{a}}'.slice(0, 5),
    'a long run of blanks in a tag': `{{${sized(' ').slice(8)}a b}}`,
    'a long run of blanks after an attribute': `href=${sized(' ').slice(20)}x{{a}}`,
    'line breaks in a block': `{{#if a}}${sized('\n ').slice(30)}x{{/if}}`,
    backslashes: sized('\\'),
    'escaped tags': sized('\\{{'),
    '5,000 tags': 'Hello {{a.b}}\n'.repeat(5_000),
    '5,000 comments': ' {{!}}\n'.repeat(5_000),
    '5,000 escaped tags between line breaks': `\\{{${'\n'.repeat(99)}`.repeat(5_000),
    '1,250 blocks with branches': '{{#if a}} \n{{else if b}}\n {{else}}x{{/if}}\n'.repeat(1_250),
    '40 blocks of 60 levels': `${'{{#if a}}'.repeat(60)}${'{{/if}}'.repeat(60)}`.repeat(41),
    '10,000 names': `{{${'ab.'.repeat(30)}c}}`.repeat(300),
    '500 KiB of line breaks before problems': `${'\n'.repeat(500 * 1024)}${'{{a b}}'.repeat(21)}`,
    '500 KiB of line breaks in blocks that stay open': `${'{{#if a}}\n'.repeat(60)}${'\n'.repeat(500 * 1024)}`,
  }
  for (const [name, source] of Object.entries(cases)) {
    it(`is parsed or refused within 500 ms of CPU: ${name}`, () =>
      assertCpuBelow(500, () => void parseTemplate(source, 'html_body')))

    it(`never blocks the process: ${name}`, () => assertStepsBelow(40, () => parseTemplateSteps(source, 'html_body')))
  }

  // All of them were parsed in one step of 11 ms.
  it('has its escaped tags parsed in pieces', () =>
    assertStepsBelow(6, () => parseTemplateSteps('\\{{'.repeat(4_999), 'html_body')))

  it('pauses only while a large template is parsed', () => {
    const count = (source: string) => [...parseTemplateSteps(source, 'html_body')].length
    assert.equal(count('<p>{{a}}</p>{{#if b}}{{c}}{{/if}}'.repeat(24)), 0)
    assert.ok(count('<p>{{a}}</p>{{#if b}}{{c}}{{/if}}'.repeat(250)) > 10)
  })

  it('is refused as render_limit for too many levels and too many tags', () => {
    assert.match(problemsOf(cases['3,000 nested ifs'] ?? '')[0] ?? '', /^render_limit .*64 levels deep/)
    assert.match(problemsOf(cases['3,000 else ifs'] ?? '')[0] ?? '', /^render_limit .*64 levels deep/)
    assert.match(problemsOf(cases['100,000 tags'] ?? '')[0] ?? '', /^render_limit .*5000 tags/)
    assert.ok(problemsOf(cases['tags of bad syntax'] ?? '').length <= 20)
  })
})

describe('the scan and the check of the syntax tree', () => {
  it('are independent: the check refuses what the scan refuses', () => {
    // Each of these has the same syntax tree as a permitted spelling.
    const spellings = ['{{&a}}', '{{#if a}}{{^}}{{/if}}', '{{{{if a}}}}{{{{/if}}}}', '{{[a]}}', 'a\0b']
    for (const [source] of forbidden) {
      let program: hbs.AST.Program
      try {
        program = Handlebars.parse(source)
      } catch {
        continue
      }
      if (spellings.includes(source)) continue
      assert.notEqual(checkTemplate(program, 'html_body').problems.length, 0, source)
    }
  })

  it('agree with the parser: it parses every source that passes the scan, whole and in pieces', () => {
    const words = [
      '{{',
      '}}',
      '{{{',
      '}}}',
      '{',
      '}',
      '#',
      '/',
      '^',
      '!',
      '--',
      '~',
      'if',
      ' if ',
      'each',
      'else',
      '\\',
    ]
    const tags = [
      '{{#if a}}',
      '{{/if}}',
      '{{else}}',
      '{{else if b}}',
      '{{#each a}}',
      '{{/each}}',
      '{{a}}',
      '{{!--',
      '--}}',
    ]
    const token = fc.constantFrom(
      ...words,
      ...tags,
      ...tags,
      'a',
      'a.b',
      'this',
      ' ',
      '\n',
      '&',
      '"',
      '[',
      ']',
      '.',
      '|',
    )
    const seed = Number(process.hrtime.bigint() % 2_147_483_647n)
    fc.assert(
      fc.property(fc.array(token, { maxLength: 14 }), (tokens) => {
        const source = tokens.join('')
        const { problems, tags } = finish(scanTemplate(source, 'html_body', templateLimits))
        if (problems.length > 0) return
        const whole = checkTemplate(Handlebars.parse(source), 'html_body')
        assert.deepEqual(whole.problems, [])
        assert.deepEqual(checkTemplate(finish(parseInPieces(source, tags, 1)), 'html_body'), whole)
      }),
      { seed, numRuns: 20_000 },
    )
  })
})
