import assert from 'node:assert/strict'
import { replacedWord, replacedWordInNames, replacedWordInText, textsIn } from './wording.ts'

describe('textsIn', () => {
  const source = String.raw`
    // a comment with 'quotes' and (parentheses)
    const url = 'http://example.com' // after a string
    const pattern = /['"]\/\/[/*]/.test(url) /* after a regular expression */
    describe('suite', () => {
      it('test', () => assert.equal(value, 'data'))
      it(${'`template`'}, () => {
        const text = 'data'
      })
    })
    log.warn({ field: value('data') }, 'message')
    throw new Error('error ' + "message")
  `

  it('returns comments, names of tests, log messages and error messages, and no other strings', () => {
    assert.deepEqual(textsIn(source), [
      "// a comment with 'quotes' and (parentheses)",
      '// after a string',
      '/* after a regular expression */',
      "'suite'",
      "'test'",
      '`template`',
      "'message'",
      "'error '",
      '"message"',
    ])
  })

  it('returns strings of several words and texts of elements if people read them', () => {
    const screen = `const key = 'a_key'; const hint = 'a hint'; return <p className="x">a text {key}</p>`
    assert.deepEqual(textsIn(screen, { allStrings: true }), ["'a hint'", 'a text '])
  })
})

describe('replacedWordInText', () => {
  it('finds another spelling, which is allowed in code', () => {
    const word = `cancel${'led'}`
    assert.equal(replacedWordInText(`The email was ${word}.`), word)
    assert.equal(replacedWord(`const ${word} = true`), null)
  })

  it('finds a docstring that begins with "Of", and no other comment', () => {
    const docstring = '/** Of a list. */'
    assert.equal(replacedWordInText(docstring), docstring.slice(0, 6))
    assert.equal(replacedWordInText('/**\n * Of a list.\n */'), '/**\n * Of')
    assert.equal(replacedWordInText('// Of two terms the first one is used.'), null)
    assert.equal(replacedWordInText('/** Offset of a list. */'), null)
  })

  it('returns null for names in backticks and in paths', () => {
    assert.equal(replacedWordInText('`mails` is in services/accounts/mails.ts'), null)
  })
})

describe('replacedWord', () => {
  it('returns the first replaced word', () => {
    // Split, because the check also reads this file.
    const word = `what${'ever'}`
    assert.equal(replacedWord(`Close ${word} is open.`), word)
  })

  it('finds a phrase that continues on the next line of a comment', () => {
    assert.equal(replacedWord(' * It waited in\n * vain.'), 'in vain')
  })

  it('returns null for parts of longer words', () => {
    assert.equal(replacedWord('retold, renewed'), null)
  })
})

describe('replacedWordInNames', () => {
  it('finds a word that is a part of a name', () => {
    assert.equal(replacedWordInNames("type Options = SmartHost & { 'X-Id': string }"), 'Smart Host')
    assert.equal(replacedWordInNames('throw changedMeanwhile()'), 'Meanwhile')
    assert.equal(replacedWordInNames('const { givenBack } = lines'), 'given Back')
  })

  it('returns null for names without these words', () => {
    assert.equal(replacedWordInNames('const maxAtOnce = relay.isGiven(backoff)'), null)
  })
})
