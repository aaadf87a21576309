import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { root } from './project.ts'

/* Programs in documents, which tests run unchanged. */

type DocumentedPart = { name: string; blocks: { language: string; code: string }[] }

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

/** Separates what several programs print. */
const mark = '\u0001'

const runners = {
  js: `
import { readFileSync } from 'node:fs'
for (const { code, env } of JSON.parse(readFileSync(0, 'utf8'))) {
  Object.assign(process.env, env)
  process.stdout.write('${mark}')
  await import('data:text/javascript,' + encodeURIComponent(code))
}`,
  python: `
import json, os, sys
for one in json.load(sys.stdin):
    os.environ.update(one['env'])
    print('${mark}', end='', flush=True)
    exec(compile(one['code'], 'program', 'exec'), {'__name__': '__main__'})`,
} as const

type Program = { code: string; env: Record<string, string> }

/**
 * Runs programs one after another in one process, whose start costs more CPU than each of them. Each is a module of its
 * own. Returns what each printed.
 */
export const runPrograms = async (language: keyof typeof runners, programs: readonly Program[], cwd: string) => {
  // Node runs a module once for each URL.
  const distinct = programs.map(({ code, env }, index) => ({
    code: language === 'js' ? `${code}\n// ${index}` : code,
    env,
  }))
  const input = JSON.stringify(distinct)
  const { out, problems, exitCode } = await runProgram({ language, code: runners[language], env: {}, cwd, input })
  const outs = out.split(mark).slice(1)
  assert.deepEqual([exitCode, outs.length], [0, programs.length], `${problems}\n${out}`)
  return outs
}
