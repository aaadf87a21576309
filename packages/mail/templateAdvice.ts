import { excerpt } from './template.ts'

/** Why a tag that is none of the permitted forms is refused: the first line that fits it. */
export const adviceFor = (tag: string): { code: string; message: string } => {
  const [, code, advice] = refusals.find(([form]) => form.test(tag)) ?? otherwise
  return { code, message: `${excerpt(tag)}: ${advice}` }
}

type Refusal = readonly [form: RegExp, code: 'template_syntax' | 'template_forbidden', advice: string]

const refusals: readonly Refusal[] = [
  [/^\{\{\{\{/, 'template_forbidden', "raw blocks aren't supported"],
  [/^\{\{~?#?>/, 'template_forbidden', "partials aren't supported"],
  [/^\{\{~?#?\*/, 'template_forbidden', "decorators aren't supported"],
  [/^\{\{~?&/, 'template_forbidden', '{{& }} is written {{{ }}} here'],
  [
    /^\{\{~?(?:\{[^{}]*(?:\}\}|\}{4})|[^{~][^{}]*\}{3,4})$/,
    'template_syntax',
    'as many braces must close as open; one of your own needs a space beside it',
  ],
  [/^\{\{~?\^/, 'template_forbidden', '{{^ }} is written {{#unless}} or {{else}} here'],
  [/\.\.\//, 'template_forbidden', "../ isn't supported: a block sees its own item only"],
  [/@/, 'template_forbidden', "data variables such as @root and @index aren't supported"],
  [/\(/, 'template_forbidden', "subexpressions aren't supported"],
  [/["']|^\{\{~?\{?\s*[\d-]/, 'template_forbidden', "literals aren't supported"],
  [/=/, 'template_forbidden', "options such as a=b aren't supported"],
  [/\|/, 'template_forbidden', "block parameters aren't supported"],
  [/^\{\{~?[#/]\s*(?:if|unless|each)\b/, 'template_syntax', '#if, #unless and #each take exactly one name'],
  [/^\{\{~?[#/]/, 'template_forbidden', 'the only blocks are #if, #unless and #each'],
  [/^\{\{~?\{?\s*(?:lookup|log|with)\s/, 'template_forbidden', "helpers aren't supported"],
  [/^\{\{~?\{?\s*~?\}/, 'template_syntax', 'a tag without a name'],
  [/^\{\{~?\{?\s*[^\s{}]+\s+[^\s{}]/, 'template_syntax', "a name has no spaces, and helpers aren't supported"],
]

const otherwise: Refusal = [
  /^/,
  'template_syntax',
  "this isn't a name: a letter or _, then letters, digits, _ and -, with dots into objects",
]
