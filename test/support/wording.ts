/** Words that docs/style.md replaces. test/docs.test.ts checks documents and sources for them. */
const replaced = [
  ...['whoever', 'whatever', 'whichever', 'nobody', 'somebody', 'anybody'],
  ...['anew', 'beside', 'in vain', 'for ever', 'meanwhile', 'at once'],
  ...['tells', 'told', 'says', 'broke', 'heeds'],
  // The glossary has another term.
  ...['next servers?', 'smart hosts?', 'mail of the platform', 'platform sender', 'audit lines?', 'event-loop turns?'],
  ...[
    '(?:raises?|under) the fence',
    'raises (?:each|its) fence',
    'fence (?:is|was) raised',
    'in work',
    'lines? of the audit log',
  ],
  ...['(?:the|its|their|whose) begin', '(?<!#)log-(?:ins?|outs?)', 'look-ups?'],
]

/** Words that are searched in the parts of names too. Other words are right in some names, such as `isGiven`. */
const replacedInNames = ['smart hosts?', 'meanwhile', 'g(?:ave|ives?|iven|iving) back']

/** Words that docs/style.md replaces in texts; in code they are names. */
const replacedInTexts = [
  ...['mails', '(?:one|each|every|another|per) mail(?! (?:server|route|service|provider|program))', 'is away'],
  ...['sweepers?', 'strangers?', 'g(?:ives?|ave) way', 'answered (?:with )?[2-5]\\d\\d'],
  ...[
    'formerly',
    'former failures?:',
    'g(?:ave|ives?|iven|iving) back',
    'also (?:if|when|while)(?= (?:a|an|the|it|its|no|they|there|one)\\b)',
  ],
  // American spelling, as in the API.
  ...['cancelled', 'cancelling', 'behaviours?', 'colour(?:s|ed)?', 'licences?', 'catalogues?'],
  ...['honours?', 'favours?', 'neighbours?', 'grey', 'centre[sd]?', 'artefacts?'],
  ...[
    '(?:un)?(?:recogn|normal|serial|organ|author|initial|minim|summar|standard|synchron|canonical)is(?:e[sd]?|ing|ation)',
  ],
]

const anyOf = (words: readonly string[]): RegExp => new RegExp(words.map((word) => `\\b${word}\\b`).join('|'), 'i')

const anyReplaced = anyOf(replaced)
const anyReplacedInNames = anyOf(replacedInNames)
const anyReplacedInTexts = anyOf([...replaced, ...replacedInTexts])

/** Returns a text in one line. A phrase may continue on the next line of a comment. */
const oneLine = (text: string): string => text.replaceAll(/\s+(?:(?:\*|\/\/|#)\s+)?/g, ' ')

/** Returns the first replaced word in a source, or null. */
export const replacedWord = (source: string): string | null => anyReplaced.exec(oneLine(source))?.[0] ?? null

/** Returns the first replaced word in the parts of the names of a source, or null. Capitals separate the parts. */
export const replacedWordInNames = (source: string): string | null =>
  anyReplacedInNames.exec(oneLine(source).replaceAll(/([a-z\d])([A-Z])/g, '$1 $2'))?.[0] ?? null

/**
 * "an" before a consonant. Abbreviations in capitals are not checked, nor is a silent "h" or a name that is spelled.
 */
const wrongArticle = /\b[Aa]n (?!fsync\b|npm\b)[b-dfgj-np-tv-z][a-z]{2,}/

/** A silent server. Only DNS has answers: a text near which DNS is not named means a reply or a response. */
const unanswered = /\b(?:no answers?|(?:did|does|do) not answer)\b/gi
const ofDns = /\bDNS\b|\bresolvers?\b|\bname servers?\b/i
/** Characters before and after a phrase in which its subject is named. */
const nearby = 200

const unansweredOutsideDns = (words: string): string | null => {
  for (const { index, 0: found } of words.matchAll(unanswered))
    if (!ofDns.test(words.slice(Math.max(0, index - nearby), index + nearby))) return found
  return null
}

/** `isAboutDns`: the text is part of a file that is only about DNS, whose servers have answers. */
type ReplacedWordOptions = { isAboutDns?: boolean }

/** Returns the first replaced word in a text that people read, or null. Names in backticks and paths are not words. */
export const replacedWordInText = (text: string, { isAboutDns = false }: ReplacedWordOptions = {}): string | null => {
  const words = oneLine(text).replaceAll(/`[^`]*`|\S*[/_]\S*|\b\w+\.ts\b/g, ' ` ')
  return (
    anyReplacedInTexts.exec(words)?.[0] ??
    wrongArticle.exec(words)?.[0] ??
    (isAboutDns ? null : unansweredOutsideDns(words))
  )
}

/** Words with which a text begins that is not a sentence: it has neither a verb in the third person nor a noun. */
const [fragment, exportedFragment] = [
  '(?:Of|Those|To the|The same|Such)',
  '(?:Whether|What|How|Why|Where|When|Who|Whose|Which|If|Only|Each|See)',
]

const fragments = [
  // A docstring of any name.
  `/\\*\\*[\\s*]+${fragment}\\b`,
  // A docstring of an exported name.
  `/\\*\\*[\\s*]+${exportedFragment}\\b(?=(?:(?!\\*/)[\\s\\S])*\\*/\\nexport )`,
  // A description of a field of the API.
  `\\.describe\\(\\s*['\`](?:${fragment}|Why|Null|Its)\\b`,
  // The name of a test.
  `\\bit\\(\\s*['"\`](?:of|that|those|whose) `,
].map((pattern) => new RegExp(pattern))

/** Returns the first beginning of a docstring, a description or a test name in a source that is a fragment, or null. */
export const fragmentIn = (source: string): string | null =>
  fragments.map((pattern) => pattern.exec(source)?.[0]).find((found) => found !== undefined) ?? null

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

/** A string with several words of prose, not a list of classes or a path. */
const severalWords = /[a-z,.;:)] +[a-z(“]/i

/** A text between two elements of JSX. */
const elementText = />([^<>{}=;]*[a-z] [a-z][^<>{}=;]*)(?=[<{])/gi

/** `allStrings`: people read the strings of several words too, such as a detail of a Fault or a text of a screen. */
type TextsInOptions = { allStrings?: boolean }

/**
 * Returns the texts of a TypeScript file that a person reads: comments, names of tests and suites, strings in log calls
 * and messages of errors. It is a scanner, not a parser: code inside `${}` is left out, and nested templates can
 * confuse it.
 */
export const textsIn = (source: string, { allStrings = false }: TextsInOptions = {}): string[] => {
  const texts: string[] = []
  /** For each open parenthesis: which strings directly inside it are texts. */
  const open: ('all' | 'first' | 'none')[] = []
  for (const { groups = {} } of source.matchAll(token)) {
    if (groups['comment']) texts.push(groups['comment'])
    else if (groups['named']) open.push('first')
    else if (groups['message']) open.push('all')
    else if (groups['open']) open.push('none')
    else if (groups['close']) open.pop()
    else if (groups['string']) {
      const which = open.pop()
      if (which === 'all' || which === 'first' || (allStrings && severalWords.test(groups['string'])))
        texts.push(groups['string'].replaceAll(/\$\{[^}]*\}/g, ''))
      if (which !== undefined) open.push(which === 'first' ? 'none' : which)
    }
  }
  const hasElements = allStrings && /<\/[\w.]*>|\/>/.test(source)
  return hasElements ? [...texts, ...[...source.matchAll(elementText)].map(([, text = '']) => text)] : texts
}

/** Returns a source without its comments. */
export const withoutComments = (source: string): string =>
  source.replaceAll(token, (text, ...rest) => {
    const groups = rest.at(-1) as Record<string, string | undefined>
    return groups['comment'] === undefined ? text : ''
  })

/** Returns the comments of a source. */
export const commentsIn = (source: string): string[] =>
  [...source.matchAll(token)].flatMap(({ groups = {} }) => groups['comment'] ?? [])
