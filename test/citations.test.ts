import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folders = ['packages/mail', 'packages/adapters/smtp']

const section = /§\d+(?:\.\d+)*/g
/** `RFC 5321`, `RFC 5321 §4.2.1`, `RFC 5321 §4.5.3.1.1, §4.5.3.1.3`. */
const citation = /RFC (\d+)((?:(?:,| and)? §\d+(?:\.\d+)*)*)/g

const sectionsIn = (text: string): string[] => text.match(section) ?? []

/** The rows of the table by RFC number. */
const listed = new Map(
  readFileSync(join(root, 'docs/rfcs.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, number = '']) => /^\d+$/.test(number))
    .map(([, number = '', title = '', sections = '', what = '']) => [
      number,
      { title, sections: sectionsIn(sections), what },
    ]),
)

const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name)),
)

describe('citations of RFCs', () => {
  it('are listed in docs/rfcs.md with their sections', () => {
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

  it('have a title, sections and a use', () => {
    assert.ok(listed.size > 0)
    for (const [number, { title, sections, what }] of listed) {
      assert.ok(title !== '' && sections.length > 0 && what !== '', `RFC ${number}`)
    }
  })
})
