import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { root } from './project.ts'

/* Programs in documents, which tests run unchanged. */

export type DocumentedPart = { name: string; blocks: { language: string; code: string }[] }

/** Returns the parts of a page: name and blocks of code. The first part is what precedes the first heading. */
export const partsOf = (file: string): DocumentedPart[] =>
  readFileSync(join(root, file), 'utf8')
    .split(/^## /m)
    .map((part) => ({
      name: part.split('\n', 1)[0] ?? '',
      blocks: [...part.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
        language,
        code,
      })),
    }))

const commandOf = (language: string, code: string): [string, string[]] => {
  if (language === 'js') return [process.execPath, ['--input-type=module', '-e', code]]
  return language === 'python' ? ['python3', ['-c', code]] : ['sh', ['-e', '-u', '-c', code]]
}

export type RunOptions = { language: string; code: string; env: Record<string, string>; cwd: string; input?: string }

/** Runs a program in `sh`, `js` or `python` to its end. */
export const runProgram = async ({ language, code, env, cwd, input }: RunOptions) => {
  const [program, args] = commandOf(language, code)
  const child = spawn(program, args, { env: { PATH: process.env['PATH'], ...env }, cwd })
  child.stdin.end(input)
  const [out, problems, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { out, problems, exitCode: exitCode as number | null }
}
