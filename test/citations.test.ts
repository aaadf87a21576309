import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folders = ['packages/mail', 'packages/adapters/smtp']

const section = /§\d+(?:\.\d+)*/g
/** `RFC 5321`, `RFC 5321 §4.2.1`, `RFC 5321 §4.5.3.1.1, §4.5.3.1.3`. */
const citation = /RFC (\d+)((?:(?:,| and)? §\d+(?:\.\d+)*)*)/g

const sectionsIn = (text: string): string[] => text.match(section) ?? []

/** The rows of the table in docs/rfcs.md by number. */
const listed = new Map(
  readFileSync(join(root, 'docs/rfcs.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, number = '']) => /^\d+$/.test(number))
    .map(([, number = '', title = '', sections = '', usedFor = '']) => [
      number,
      { title, sections: sectionsIn(sections), usedFor },
    ]),
)

const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name)),
)

describe('RFC citations', () => {
  it('docs/rfcs.md lists every cited RFC and section', () => {
    const missing = sources.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(citation)].flatMap(([, number = '', sections = '']) => {
        const row = listed.get(number)
        if (!row) return [`${file}: RFC ${number}`]
        return sectionsIn(sections)
          .filter((cited) => !row.sections.includes(cited))
          .map((cited) => `${file}: RFC ${number} ${cited}`)
      }),
    )
    assert.deepEqual(missing, [])
  })

  it('every row of docs/rfcs.md has a title, sections and a use', () => {
    assert.ok(listed.size > 0)
    for (const [number, { title, sections, usedFor }] of listed) {
      assert.ok(title !== '' && sections.length > 0 && usedFor !== '', `RFC ${number}`)
    }
  })
})
