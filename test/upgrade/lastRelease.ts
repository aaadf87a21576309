import { runs } from '../kube/command.ts'
import { root } from '../support/project.ts'

/** The release that the next one must live beside. */
export type Release = { name: string; commit: string }

/** The newest version that a changelog has a date for. */
export const newestVersion = (changelog: string): string | null => /^## \[(\d\S*)\] - /m.exec(changelog)?.[1] ?? null

/**
 * The newest tag `v…` that a clone's HEAD comes from, be it HEAD itself. A clone without tags tells it by its changelog:
 * the commit that gave the newest released version its heading is what was tagged.
 * @returns `why`: neither can be had
 */
export const lastRelease = async (folder = root): Promise<Release | { why: string }> => {
  const git = async (...args: string[]): Promise<string | null> => {
    const { code, out } = await runs('git', ['-C', folder, ...args])
    return code === 0 ? out.trim() : null
  }
  const named = async (name: string, revision: string): Promise<Release> => {
    const commit = await git('rev-parse', `${revision}^{commit}`)
    if (commit === null) throw new Error(`git knows no commit ${revision}`)
    return { name, commit }
  }

  const shallow = await git('rev-parse', '--is-shallow-repository')
  if (shallow === null) return { why: 'this is no clone of a git repository, so the last release is not in it' }
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v*')
  if (tag !== null) return named(tag, tag)
  // Where history ends, all of the changelog seems to come from one commit.
  if (shallow === 'true') return { why: 'a shallow clone without tags doesn’t have the last release' }
  const version = newestVersion((await git('show', 'HEAD:./CHANGELOG.md')) ?? '')
  if (version === null) return { why: 'no tag v… leads here, and CHANGELOG.md has no released version' }
  const log = await git('log', '--reverse', '--format=%H', `-S## [${version}]`, '--', 'CHANGELOG.md')
  const [first] = log?.split('\n') ?? []
  return first ? named(`v${version}`, first) : { why: `no commit gave CHANGELOG.md its heading of ${version}` }
}
