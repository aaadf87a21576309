import assert from 'node:assert/strict'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runs, skippedWhere } from '../kube/command.ts'
import { root } from '../support/project.ts'
import { lastRelease, type Release } from './lastRelease.ts'
import { giveModules } from './modules.ts'

/** The last release as a project that can be run: in `folder`, with its libraries. */
export type ReleasedTree = Release & { folder: string }

const did = async (command: string, args: readonly string[]): Promise<void> => {
  const { code, said } = await runs(command, args)
  assert.equal(code, 0, `${command}: ${said}`)
}

const layOut = async (): Promise<ReleasedTree | { why: string }> => {
  const release = await lastRelease()
  if ('why' in release) return release
  // Node looks for libraries from where a file really is.
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'postrider-release-')))
  const archive = join(folder, 'release.tar')
  try {
    await did('git', ['archive', '--format=tar', `--output=${archive}`, release.commit])
    await did('tar', ['-xf', archive, '-C', folder])
    await rm(archive)
    await giveModules(folder, root)
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true })
    throw thrown
  }
  console.log(`last release: ${release.name}, ${release.commit.slice(0, 12)}`)
  return { ...release, folder }
}

// One for all suites of a run.
let shared: ReturnType<typeof layOut> | undefined

after(async function removeShared() {
  this.timeout(60_000)
  const tree = await shared?.catch(() => null)
  if (tree && 'folder' in tree) await rm(tree.folder, { recursive: true, force: true })
})

/** To be called in a `describe`: gives its tests the last release; they are skipped, aloud, where it can't be had. */
export const useLastRelease = (): (() => ReleasedTree) => {
  let found: ReleasedTree | null = null
  skippedWhere(async () => {
    shared ??= layOut()
    const tree = await shared
    if ('why' in tree) return tree.why
    found = tree
    return null
  })
  return () => {
    if (found === null) throw new Error('the last release is there inside of tests only')
    return found
  }
}
