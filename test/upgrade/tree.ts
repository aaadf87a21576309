import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mustRun, skipSuiteIf } from '../kube/command.ts'
import { root } from '../support/project.ts'
import { lastRelease, type Release } from './lastRelease.ts'
import { installLibraries } from './modules.ts'

/** The last release in `folder`, with its libraries, ready to run. */
export type ReleasedTree = Release & { folder: string }

const extract = async (): Promise<ReleasedTree | { why: string }> => {
  const release = await lastRelease()
  if ('why' in release) return release
  // Node resolves libraries from the real path of a file.
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'postrider-release-')))
  const archive = join(folder, 'release.tar')
  try {
    await mustRun('git', 'archive', '--format=tar', `--output=${archive}`, release.commit)
    await mustRun('tar', '-xf', archive, '-C', folder)
    await rm(archive)
    await installLibraries(folder, root)
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true })
    throw thrown
  }
  console.log(`last release: ${release.name}, ${release.commit.slice(0, 12)}`)
  return { ...release, folder }
}

// Shared by all suites of a run.
let shared: ReturnType<typeof extract> | undefined

after(async function removeShared() {
  const tree = await shared?.catch(() => null)
  if (tree && 'folder' in tree) await rm(tree.folder, { recursive: true, force: true })
})

/** Provides the last release to the tests of the `describe` that calls it, or skips them and prints the reason. */
export const useLastRelease = (): (() => ReleasedTree) => {
  let found: ReleasedTree | null = null
  skipSuiteIf(async () => {
    shared ??= extract()
    const tree = await shared
    if ('why' in tree) return tree.why
    found = tree
    return null
  })
  return () => {
    if (found === null) throw new Error('the last release is only available inside tests')
    return found
  }
}
