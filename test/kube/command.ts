import { execFile } from 'node:child_process'
import { withTools } from '../../charts/gen/tools.ts'
import { root } from '../support/project.ts'
import { skip } from '../support/skip.ts'

const mostBytes = 64 * 1024 * 1024

/** How a program ended: `code` null where there is no such program; `said` is both streams. */
export type Ended = { code: number | null; out: string; said: string }

/** Runs a program in the project's root, to its end. */
export const runs = (command: string, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(command, args, { cwd: root, env: withTools(), maxBuffer: mostBytes }, (thrown, out, err) => {
      const failed = typeof thrown?.code === 'number' ? thrown.code : null
      resolve({ code: thrown ? failed : 0, out, said: `${out}${err}` })
    })
  })

/** Skips the `describe` that calls it where `look` returns a reason. */
export const skippedWhere = (look: () => Promise<string | null>): void => {
  before(async function skipWithReason() {
    const why = await look()
    if (why === null) return
    skip(this, why)
  })
}

/** @returns why it can't be run here; null: it can */
export const whyNot = async (command: string, args: readonly string[]): Promise<string | null> => {
  const { code } = await runs(command, args)
  return code === 0 ? null : `${command} is not there, or doesn't work`
}
