import { run } from '../kube/command.ts'
import { root } from '../support/project.ts'

/** A release with which this version must be compatible. */
export type Release = { name: string; commit: string }

/** Returns the newest version that has a date in a changelog. */
export const newestVersion = (changelog: string): string | null => /^## \[(\d\S*)\] - /m.exec(changelog)?.[1] ?? null

/**
 * Returns the newest tag `v…` of HEAD or its ancestors. In a clone without tags it returns the commit that added the
 * heading of the newest released version to the changelog. `why`: the reason if there is neither.
 */
export const lastRelease = async (folder = root): Promise<Release | { why: string }> => {
  const git = async (...args: string[]): Promise<string | null> => {
    const { code, stdout } = await run('git', ['-C', folder, ...args])
    return code === 0 ? stdout.trim() : null
  }
  const named = async (name: string, revision: string): Promise<Release> => {
    const commit = await git('rev-parse', `${revision}^{commit}`)
    if (commit === null) throw new Error(`git has no commit ${revision}`)
    return { name, commit }
  }

  const shallow = await git('rev-parse', '--is-shallow-repository')
  if (shallow === null) return { why: 'this folder is not a clone of a git repository' }
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v*')
  if (tag !== null) return named(tag, tag)
  // In a shallow clone the whole changelog appears to come from one commit.
  if (shallow === 'true') return { why: 'a shallow clone without tags does not contain the last release' }
  const version = newestVersion((await git('show', 'HEAD:./CHANGELOG.md')) ?? '')
  if (version === null) return { why: 'HEAD has no tag v…, and CHANGELOG.md has no released version' }
  const log = await git('log', '--reverse', '--format=%H', `-S## [${version}]`, '--', 'CHANGELOG.md')
  const [first] = log?.split('\n') ?? []
  return first ? named(`v${version}`, first) : { why: `no commit added the heading of ${version} to CHANGELOG.md` }
}
