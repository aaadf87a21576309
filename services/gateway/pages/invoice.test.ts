import assert from 'node:assert/strict'
import type { Invoice } from '@postrider/contracts/services.ts'
import { html, layout } from './html.ts'
import { invoicePage, pageHeaders } from './invoice.ts'

const invoice: Invoice = {
  id: 'in_1',
  workspace: 'ws_1',
  reason: '',
  number: 'PR-000042',
  period_start: Date.parse('2028-02-01T00:00:00.000Z'),
  period_end: Date.parse('2028-03-01T00:00:00.000Z'),
  lines: [
    { description: 'Credit for <b>the outage</b> & more', quantity: 1, unit_cents: -500, amount_cents: -500 },
    { description: 'Pro plan, February 2028', quantity: 1, unit_cents: 2_000, amount_cents: 2_000 },
  ],
  total_cents: 1_500,
  status: 'paid',
  issued_at: Date.parse('2028-02-01T00:05:12.000Z'),
  paid_at: Date.parse('2028-02-03T10:00:00.000Z'),
}

/** Relative luminance and contrast as WCAG 2.2 defines them. */
const luminance = (color: string): number => {
  const digits = color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit) : color.slice(1).match(/../g)
  const [red = 0, green = 0, blue = 0] = (digits ?? []).map((pair) => {
    const part = Number.parseInt(pair, 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string): number => {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

describe('page of an invoice', () => {
  it('has each line, the total, the last day of the period and the day of payment, with texts escaped', () => {
    const page = invoicePage(invoice, 'Acme & <Sons>').toString()
    for (const part of [
      '<h1>Invoice PR-000042</h1>',
      'Acme &amp; &lt;Sons&gt;',
      'Credit for &lt;b&gt;the outage&lt;/b&gt; &amp; more',
      '<td>1</td><td>20.00</td><td>20.00</td>',
      '<td>15.00</td>',
      '2028-02-01 to 2028-02-29 (UTC)',
      'paid, 2028-02-03',
    ])
      assert.ok(page.includes(part), part)
  })

  it('loads nothing, runs nothing and cannot be framed', () => {
    const page = invoicePage(invoice, 'Acme').toString()
    assert.doesNotMatch(page, /<script|<link|<img|<iframe|https?:|url\(|@import|\son\w+=|\sstyle=/i)
    const policy = pageHeaders['Content-Security-Policy']
    assert.match(policy, /^default-src 'none';.*frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /script-src/)
  })

  it('prints its table in light colors with the names of its columns, on paper of any width', () => {
    const print = /@media print \{(.*)\}/.exec(invoicePage(invoice, 'Acme').toString())?.[1] ?? ''
    for (const rule of [
      ':root { color-scheme: light; }',
      '.amounts thead { display: table-header-group; }',
      '.amounts td { display: table-cell;',
      'nav { display: none; }',
    ])
      assert.ok(print.includes(rule), rule)
  })
})

describe('colors of the pages', () => {
  it('have a contrast of at least 4.5 to 1 for texts, in light and dark', () => {
    const page = layout('Title', html``).markup
    const colors = new Map(
      [...page.matchAll(/--(\w+): light-dark\((#\w+), (#\w+)\)/g)].map(([, name, ...pair]) => [name, pair]),
    )
    for (const [text, back] of [
      ['ink', 'paper'],
      ['soft', 'paper'],
      ['link', 'paper'],
      ['bad', 'paper'],
      ['ink', 'tint'],
    ] as const)
      for (const scheme of [0, 1]) {
        const [one = '', other = ''] = [colors.get(text)?.[scheme], colors.get(back)?.[scheme]]
        assert.ok(contrast(one, other) >= 4.5, `${text} on ${back}: ${one} on ${other}`)
      }
  })
})
