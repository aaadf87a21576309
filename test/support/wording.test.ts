import assert from 'node:assert/strict'
import { fragmentIn, replacedWord, replacedWordInNames, replacedWordInText, textsIn } from './wording.ts'

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

  it('finds "an" before a consonant', () => {
    assert.equal(replacedWordInText(`A client reads an ${'response'}.`), `an ${'response'}`)
    assert.equal(replacedWordInText('It is an MX record, an hour, or an email.'), null)
  })

  it('finds an answer of a server other than DNS', () => {
    // Split, because the check also reads this file.
    const silent = `no ${'answer'}`
    assert.equal(replacedWordInText(`There was ${silent} from the relay.`), silent)
    assert.equal(replacedWordInText(`There was ${silent} from a DNS server.`), null)
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
    assert.equal(replacedWordInNames('const maxInFlight = relay.isGiven(backoff)'), null)
  })
})

describe('fragmentIn', () => {
  // Split, because the check also reads this file.
  const open = '/*' + '*'

  it('finds a docstring that begins with "Of", and no other comment', () => {
    assert.equal(fragmentIn(`${open} Of a list. */`), `${open} Of`)
    assert.equal(fragmentIn(`${open}\n * Of a list.\n */`), `${open}\n * Of`)
    assert.equal(fragmentIn('// Of two terms the first one is used.'), null)
    assert.equal(fragmentIn(`${open} Offset of a list. */`), null)
  })

  it('finds a docstring of an exported name without a verb', () => {
    const docstring = `${open} Whether it is open. */\n`
    assert.equal(fragmentIn(`${docstring}export const isOpen = () => true`), `${open} Whether`)
    assert.equal(fragmentIn(`${docstring}const isOpen = () => true`), null)
    assert.equal(fragmentIn(`${docstring}const a = 1\n\n${open} Returns it. */\nexport const b = 1`), null)
  })

  it('finds a description and a test name without a subject', () => {
    const [call, name] = ['.descri' + 'be', 'i' + 't']
    assert.equal(fragmentIn(`z.string()${call}('Of the domain.')`), `${call}('Of`)
    assert.equal(fragmentIn(`z.string()${call}('Status of the domain.')`), null)
    assert.equal(fragmentIn(`${name}('that is canceled is not sent')`), `${name}('that `)
  })
})
