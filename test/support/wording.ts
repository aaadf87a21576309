/** Words that docs/style.md replaces. test/docs.test.ts checks documents and sources for them. */
const replaced = [
  ...['whoever', 'whatever', 'whichever', 'nobody', 'somebody', 'anybody'],
  ...['anew', 'beside', 'in vain', 'for ever', 'meanwhile', 'at once'],
  ...['tells', 'told', 'says', 'broke', 'heeds'],
]

const anyReplaced = new RegExp(replaced.map((word) => `\\b${word}\\b`).join('|'), 'i')

/** Returns the first replaced word in a text, or null. A phrase may continue on the next line of a comment. */
export const replacedWord = (text: string): string | null =>
  anyReplaced.exec(text.replaceAll(/\s+(?:(?:\*|\/\/|#)\s+)?/g, ' '))?.[0] ?? null

/** The tokens of TypeScript that `textsIn` distinguishes. */
const token = new RegExp(
  [
    /(?<comment>\/\/.*|\/\*[\s\S]*?\*\/)/,
    // A slash begins a regular expression where an operand can begin.
    /(?<=(?:^|[(,=:[!&|?{};]|=>|\breturn)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//,
    /(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`)/,
    /(?<named>\b(?:it|describe)\()/,
    /(?<message>\b(?:log|console)\.\w+\(|\bnew Error\()/,
    /(?<open>\()/,
    /(?<close>\))/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
)

/**
 * Returns the texts of a TypeScript file that a person reads: comments, names of tests and suites, strings in log calls and
 * messages of errors. It is a scanner, not a parser: code inside `${}` is left out, and nested templates can confuse it.
 */
export const textsIn = (source: string): string[] => {
  const texts: string[] = []
  /** For each open parenthesis: which strings directly inside it are texts. */
  const open: ('all' | 'first' | 'none')[] = []
  for (const { groups = {} } of source.matchAll(token)) {
    if (groups['comment']) texts.push(groups['comment'])
    else if (groups['named']) open.push('first')
    else if (groups['message']) open.push('all')
    else if (groups['open']) open.push('none')
    else if (groups['close']) open.pop()
    else if (groups['string'] && open.length > 0) {
      const which = open.pop() ?? 'none'
      if (which !== 'none') texts.push(groups['string'].replaceAll(/\$\{[^}]*\}/g, ''))
      open.push(which === 'first' ? 'none' : which)
    }
  }
  return texts
}
