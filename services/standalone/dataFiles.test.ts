import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { makeFilesPrivate } from './dataFiles.ts'

describe('files of a data directory', () => {
  let directory = ''
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'postrider-files-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  const modeOf = (name: string): number => statSync(join(directory, name)).mode & 0o777

  it('lose the rights of other users, and foreign files and the directory keep their mode', () => {
    for (const [name, mode] of [
      ['postrider.db', 0o644],
      ['postrider.db-wal', 0o666],
      ['secret', 0o640],
      ['postrider.lock', 0o400],
      // Only a list of names was made private: not the journals, nor a copy of the database next to it.
      ['postrider.lock-journal', 0o644],
      ['postrider.db-journal', 0o644],
      ['postrider.db.bak', 0o644],
      ['secret.old', 0o644],
      ['operator-token.new', 0o644],
      ['notes.txt', 0o644],
      ['secretary.txt', 0o644],
    ] as const) {
      writeFileSync(join(directory, name), '')
      chmodSync(join(directory, name), mode)
    }
    chmodSync(directory, 0o755)
    assert.deepEqual(makeFilesPrivate(directory), [])
    assert.deepEqual(
      ['postrider.db', 'postrider.db-wal', 'secret', 'postrider.lock', 'notes.txt', 'secretary.txt'].map(modeOf),
      [0o600, 0o600, 0o600, 0o400, 0o644, 0o644],
    )
    assert.deepEqual(
      ['postrider.lock-journal', 'postrider.db-journal', 'postrider.db.bak', 'secret.old', 'operator-token.new'].map(
        modeOf,
      ),
      [0o600, 0o600, 0o600, 0o600, 0o600],
    )
    assert.equal(statSync(directory).mode & 0o777, 0o755)
  })

  // Copies under other names stayed readable without a warning.
  it('are reported if a copy under another name is accessible to others', () => {
    const database = 'SQLite format 3\0 and its pages'
    for (const [name, mode, content] of [
      ['copy.sqlite', 0o644, database],
      ['2026-11-29', 0o604, database],
      ['private.sqlite', 0o600, database],
      ['secret-2025', 0o644, 'x'],
      ['Secrets.txt', 0o640, 'x'],
      ['operator-token~', 0o644, 'x'],
      ['postrider-backup.tar', 0o644, 'x'],
      ['notes.txt', 0o644, 'SQLite format 2'],
      ['secretary.txt', 0o644, 'x'],
    ] as const) {
      writeFileSync(join(directory, name), content)
      chmodSync(join(directory, name), mode)
    }
    mkdirSync(join(directory, 'postrider-web'), { mode: 0o755 })
    const reported = makeFilesPrivate(directory).map((path) => basename(path))
    assert.deepEqual(reported.toSorted(), [
      ...['2026-11-29', 'Secrets.txt', 'copy.sqlite', 'operator-token~', 'postrider-backup.tar', 'secret-2025'],
    ])
    assert.deepEqual(['copy.sqlite', 'secret-2025'].map(modeOf), [0o644, 0o644])
  })

  it('may be missing, like the directory', () => {
    assert.deepEqual(makeFilesPrivate(directory), [])
    assert.deepEqual(makeFilesPrivate(join(directory, 'none')), [])
  })
})
