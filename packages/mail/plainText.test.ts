import assert from 'node:assert/strict'
import { assertCpuBelow, assertStepsBelow } from '../../test/support/cost.ts'
import { inOneStep } from '../../test/support/inOneStep.ts'
import { plainTextSteps } from './plainText.ts'

const plainText = inOneStep(plainTextSteps)

const cases: [name: string, html: string, text: string][] = [
  ['paragraphs and breaks', '<p>Hello <b>Jane</b>,<br>welcome.</p><p>Bye</p>', 'Hello Jane,\nwelcome.\n\nBye'],
  ['headings as they are', '<h1>Your order</h1><p>is here</p>', 'Your order\n\nis here'],
  ['links with their address', '<a href="https://x.example/o/17">order</a>', 'order [https://x.example/o/17]'],
  ['links that are their text', '<a href="https://x.example">https://x.example</a>', 'https://x.example'],
  ['links within the page', '<a href="#top">top</a>', 'top'],
  ['lists', '<ul><li>one</li><li>two</li></ul>', ' * one\n * two'],
  ['tables', '<table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>3</td></tr></table>', 'Item Price\nTea 3'],
  ['pictures by their names', '<img src="cid:x" alt="Logo"><img src="https://t.example/p.gif">', 'Logo'],
  ['entities', '<p>Gr&ouml;&szlig;e &amp; &lt;b&gt;</p>', 'Größe & <b>'],
  ['nothing of scripts and styles', '<title>t</title><style>p{}</style><script>x()</script><p>a</p>', 'a'],
  ['no HTML', 'just text', 'just text'],
  ['nothing', '', ''],
]

/** HTML that is too long for the library. */
const long = (html: string): string => `<style>${'a'.repeat(150_000)}</style>${html}`

const shown = (html: string): string => (html.length > 80 ? `${html.slice(0, 80)}… (${html.length} characters)` : html)

describe('plainText', () => {
  for (const [name, html, text] of cases) {
    it(`writes ${name}`, () => assert.equal(plainText(html), text))
  }

  it('keeps text that looks like a mark of a list, a quote or a line', () => {
    assert.deepEqual(['<p>-</p>', '<p>No.</p>', '<p>&gt; *</p>', '<ul><li>1.</li></ul>'].map(plainText), [
      '-',
      'No.',
      '> *',
      ' * 1.',
    ])
  })

  it('shows no comment of very long input', () => {
    const filler = '<b></b>'.repeat(20_000)
    assert.equal(plainText(`${filler}<!--[if mso]><p>hidden</p><![endif]--><p>a</p><!-- b > c --><!-- d > e`), 'a')
  })

  it('wraps long lines of the text', () => {
    const text = plainText(`<p>${'word '.repeat(200)}</p>`)
    assert.ok(text.split('\n').every((line) => line.length <= 78))
  })

  it('is simpler for very long input, and still readable', () => {
    const filler = '<!-- -->'.repeat(20_000)
    const html =
      '<style>p{}</style><p>Hello &amp; <b>welcome</b>,<br>see <a class="b" href="https://x.example">your order</a></p>'
    assert.equal(
      plainText(`${html}<table><tr><td>Tea</td><td>3</td></tr></table>${filler}`).replace(/\s+$/, ''),
      ['Hello & welcome,', 'see your order [https://x.example]', 'Tea 3'].join('\n'),
    )
  })

  const hostile = [
    '<div>',
    '<b></i>',
    '<svg/>',
    '<',
    '<a ',
    '<!--',
    '<td>',
    '<style>',
    '<style></style>',
    ' ',
    '<li><td>',
  ]
  for (const pattern of hostile) {
    it(`converts 2 MiB and 128 KiB of ${JSON.stringify(pattern)} in bounded time`, () =>
      assertCpuBelow(2_000, () => {
        for (const length of [2 * 2 ** 20, 128 * 1_024]) plainText(pattern.repeat(Math.floor(length / pattern.length)))
      }))
  }

  const elements = [
    ...['<blockquote>', '<blockquote>a<br>', '<ol>', '<ul>', '<ol><li>', '<ul><li>a', '<dl><dt><dd>', '<menu>'],
    ...['<table>', '<table><tr><td>', '<td>', '<pre>', '<pre>\n', '<h1>', '<p>', '<p>a</p>', '<div>', '<x-y>', '<hr>'],
    ...[
      '<a href="https://x.example/">',
      '<a href="https://x.example/">a</a>',
      '<img alt="a">',
      '<br>',
      '<b></i>',
      '</p>',
    ],
    ...[
      '<a b c d e>',
      '<a b',
      '&amp;',
      '&',
      '&#',
      '<!--',
      '<!-- -->',
      '<![CDATA[',
      '<style></style>',
      '<',
      'a',
      'a ',
      '\n',
    ],
    ...['<ol type="i" start="99999999">\n<li>', '<li><td>', '<svg/>', '<script>', '\u{1f600}', '\ud800'],
    ...[
      '<img src="x" alt="a">',
      `<img alt='`,
      '<img title=" alt=',
      '&#8204;',
      '&#x200c',
      '&zwnj;&nbsp;',
      '<ul><li></li></ul>',
    ],
  ]
  for (const pattern of elements) {
    it(`converts ${JSON.stringify(pattern)} of any length in short steps, to a text of bounded length`, async () => {
      for (const length of [16 * 1_024, 128 * 1_024, 2 ** 20]) {
        const html = pattern.repeat(Math.floor(length / pattern.length))
        const text = await assertStepsBelow(50, () => plainTextSteps(html))
        assert.ok(text.length <= 8 * html.length + 4_096, `${text.length} characters`)
      }
    })
  }

  // A word was copied for each element after it: the first of these took more than a second.
  for (const unit of [
    '<td>x',
    '<!-- -->x',
    '<i>x</i>',
    '<b>x',
    '<a href="https://x.example/">x</a>',
    '<img alt="x">',
    '<wbr>x',
  ]) {
    for (const start of ['', '<body>', '<p>', '<ul><li>', '<table><tr><td>']) {
      it(`converts ${start}, a long word and many times ${unit} in short steps`, async () => {
        const count = Math.floor(3_990 / unit.split('<').length)
        const word = '漢'.repeat(128 * 1_024 - start.length - unit.length * count)
        assert.match(await assertStepsBelow(50, () => plainTextSteps(start + word + unit.repeat(count))), /漢漢/)
      })
    }
  }

  it('keeps words across elements, and breaks them only if they are longer than a line of a message', () => {
    assert.equal(plainText(`<p>${'漢<b>字</b>'.repeat(200)}</p>`), '漢字'.repeat(200))
    assert.equal(plainText('<p>un<b>believ</b>able</p>'), 'unbelievable')
    assert.equal(plainText(`<p>${'a'.repeat(2_000)}<b>b</b></p><p>c</p>`), `${'a'.repeat(2_000)}\nb\n\nc`)
    assert.equal(plainText(`<p>${'a'.repeat(2_000)}</p><p>b</p>`), `${'a'.repeat(2_000)}\n\nb`)
    const url = `https://x.example/undefined/${'a'.repeat(100)}`
    assert.equal(plainText(`<p>${url}</p>`), url)
  })

  // Nesting was counted in the source, where a closing tag may close nothing: each of these took a second.
  const nested = [
    '<a href="https://x.example/">',
    '<blockquote></ul>',
    '<blockquote><!--</blockquote>-->',
    '<blockquote title="</blockquote>">',
    '<blockquote></blockquote/x>',
    '<ul title="</ul>"><li>',
    '<ol></ul><li>',
  ]
  for (const opening of nested) {
    for (const inner of ['a ', 'a<br>', '<p>a']) {
      it(`converts 390 times ${opening} around many times ${inner} in short steps`, async () => {
        const html = opening.repeat(390) + inner.repeat(inner === 'a ' ? 50_000 : 4_000)
        assert.match(await assertStepsBelow(50, () => plainTextSteps(html)), /a\s+a/)
      })
    }
  }

  const rules = `<hr>${'w '.repeat(14)}`.repeat(3_900)
  it('converts rules and words in as many quotes and links as the library gets in short steps', async () => {
    assert.match(await assertStepsBelow(50, () => plainTextSteps(`<blockquote><a href=a>${rules}`)), /^> -+\n/m)
  })

  // The library needed 30 ms or more for each of these, and 40 to 90 ms for the first one of a process. Its text has
  // marks in each line.
  for (const [what, html] of Object.entries({
    'references to line breaks in quotes': `${'<blockquote>'.repeat(9)}<pre>${'a&#10;'.repeat(19_000)}`,
    'one item after another in ten lists': `${'<ol><li>'.repeat(10)}${'<li>a'.repeat(3_950)}`,
    'rules and words in quotes and links': `${'<blockquote>'.repeat(6)}<a href=a><a href=b><a href=c>${rules}`,
    'ten lists of many items': `<ol>${'<li>a'.repeat(390)}`.repeat(10),
  }))
    it(`converts ${what} without the library`, async () =>
      assert.doesNotMatch(await assertStepsBelow(20, () => plainTextSteps(html)), /^ *(?:>|\d+\.)/m))

  // Each of these threw, or wrote a control character.
  for (const [attributes, text] of [
    ['type="I" start="3997"', ' MMMCMXCVII.  a\n MMMCMXCVIII. a'],
    ['type="I" start="3999"', ' 3999. a\n 4000. a'],
    ['type="i" start="40000"', ' 40000. a\n 40001. a'],
    ['type="i" start="-1"', ' -1. a\n 0.  a'],
    ['type="i" start="1e300"', ' i.  a\n ii. a'],
    ['type="i" start="1.5"', ' i.  a\n ii. a'],
    ['type="A" start="x"', ' A. a\n B. a'],
    ['type="a" start="-9"', ' -9. a\n -8. a'],
    ['type="a" start="99999999999"', ' a. a\n b. a'],
    ['start="Infinity"', ' 1. a\n 2. a'],
  ] as const) {
    it(`numbers a list with ${attributes}`, () =>
      assert.equal(plainText(`<ol ${attributes}><li>a</li><li>a</li></ol>`), text))
  }

  it('converts many lines of preformatted text in quotes in short steps', async () => {
    const html = `${'<blockquote>'.repeat(9)}<pre>${'a\n'.repeat(65_000)}`
    assert.match(await assertStepsBelow(50, () => plainTextSteps(html)), /a\s+a/)
  })

  it('converts deep quotes, lists and links that real mail has', () => {
    const [open, close] = ['<blockquote>', '</blockquote>'].map((tag) => tag.repeat(8))
    assert.equal(plainText(`${open}<ul><li>a</li></ul>${close}`), `${'> '.repeat(8)} * a`)
    assert.equal(plainText(`${'<a name="x">'.repeat(9)}<a href="https://x.example">a</a>`), 'a [https://x.example]')
  })

  for (const html of [
    '<p> </p>',
    '<img src="https://t.example/p.gif">',
    '<p>&nbsp;&zwnj;&#8203;&#847;</p>',
    '<style>a</style>',
    '<hr>',
    '<ul><li></li><li><img src="https://t.example/p.gif"></li></ul>',
    '<ol><li></li><li>&nbsp;</li></ol>',
    '<ol type="i" start="8"><li></li></ol>',
    '<blockquote><p></p></blockquote><hr>',
    // Regression: more than 1,000 characters of marks were a text.
    ...[
      '<ul><li></li></ul>',
      '<ul><li></li><li>&nbsp;</li></ul>',
      '<ol><li></li></ol>',
      '<ol type="A"><li></li><li><p> </p></li></ol>',
      '<hr>',
      '<blockquote>&nbsp;</blockquote>',
      '<blockquote><ul><li><hr></li></ul></blockquote>',
      '<table><tr><td></td><td>&nbsp;</td></tr></table>',
      '<ul><li><table><tr><td><hr></td></tr></table></li></ul>',
    ].flatMap((html) => [html.repeat(500), html.repeat(5_000)]),
    `<ul>${'<li></li>'.repeat(500)}</ul>`,
    `<ol>${'<li></li>'.repeat(500)}</ol>`,
    `<ol>${'<li></li>'.repeat(9_000)}</ol>`,
    // Regression: these were a text: blanks that are no white space by their properties, and control characters.
    '<p>\u2800</p>',
    '<p>&#10240;&#12644;</p>',
    '<p>\u115f\u1160\uffa0</p>',
    '<p>&#1;\x02</p>',
    '<p>\u0488</p>',
  ]) {
    it(`returns nothing for HTML without visible text: ${shown(html)}`, () => assert.equal(plainText(html), ''))
    it(`returns nothing for it next to a long style: ${shown(html)}`, () => assert.equal(plainText(long(html)), ''))
  }

  it('keeps a text of many marks, and a word after many marks', () => {
    assert.match(plainText('<p>-</p>'.repeat(1_000)), /^-\n\n-/)
    assert.match(plainText(`${'<ul><li></li></ul>'.repeat(1_000)}<p>a</p>`), /a$/)
  })

  it('reads references and pictures of long HTML', () => {
    assert.equal(
      plainText(long('<p>&copy; 2026 &ndash; Z&#252;rich &#x20AC; &amp;lt; &unknown;')),
      '© 2026 – Zürich € &lt; &unknown;',
    )
    assert.equal(plainText(long('<img alt="Acme &amp; Söhne" src="x">')), 'Acme & Söhne')
    assert.equal(plainText(long('&#0; &#xD800; &#1114112;')), '&#0; &#xD800; &#1114112;')
    const cut = `${'a'.repeat(16_377)}&#8364;b`
    assert.equal(plainText(long(cut)), cut.replace('&#8364;', '€'))
  })
})
