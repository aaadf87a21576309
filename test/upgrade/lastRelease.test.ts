import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, skipSuiteIf, whyNoCommand } from '../kube/command.ts'
import { lastRelease } from './lastRelease.ts'

describe('lastRelease', function lastReleaseSuite() {
  skipSuiteIf(() => whyNoCommand('git', ['--version']))
  let folder = ''

  const git = async (...args: string[]): Promise<string> => {
    const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
    const { code, stdout, output } = await run('git', ['-C', folder, ...author, ...args])
    assert.equal(code, 0, output)
    return stdout.trim()
  }
  const commit = async (...headings: string[]): Promise<string> => {
    await writeFile(join(folder, 'CHANGELOG.md'), headings.map((one) => `## ${one}\n\n- Something.\n`).join('\n'))
    await git('add', '.')
    await git('commit', '--quiet', '--allow-empty', '--message', 'Change something')
    return git('rev-parse', 'HEAD')
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-git-'))
    await git('init', '--quiet')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('returns the newest version tag of HEAD or its ancestors', async () => {
    const first = await commit('[1.0.0] - 2026-01-01')
    await git('tag', 'v1.0.0')
    await commit('[Unreleased]', '[1.0.0] - 2026-01-01')
    await git('tag', 'other')
    assert.deepEqual(await lastRelease(folder), { name: 'v1.0.0', commit: first })
    const second = await commit('[1.1.0] - 2026-02-01', '[1.0.0] - 2026-01-01')
    await git('tag', '--annotate', '--message', 'The second', 'v1.1.0')
    assert.deepEqual(await lastRelease(folder), { name: 'v1.1.0', commit: second })
  })

  it('returns the commit that added the newest version to the changelog if there are no tags', async () => {
    await commit('[Unreleased]')
    const released = await commit('[Unreleased]', '[1.0.0] - 2026-01-01')
    await commit('[Unreleased]', '[1.0.0] - 2026-01-01', 'Earlier versions')
    assert.deepEqual(await lastRelease(folder), { name: 'v1.0.0', commit: released })
  })

  it('returns a reason if there is no release, the clone is shallow, or the folder is not a clone', async () => {
    await commit('[Unreleased]')
    assert.match(JSON.stringify(await lastRelease(folder)), /no released version/)
    await commit('[1.0.0] - 2026-01-01')
    const shallow = join(folder, 'shallow')
    await git('clone', '--quiet', '--depth', '1', `file://${folder}`, shallow)
    assert.match(JSON.stringify(await lastRelease(shallow)), /shallow clone/)
    await rm(join(folder, '.git'), { recursive: true })
    assert.match(JSON.stringify(await lastRelease(folder)), /not a clone/)
  })
})
