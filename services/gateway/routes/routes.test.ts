import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Access } from '../route.ts'
import { scopesOf } from '../route.ts'
import { routes } from './routes.ts'

const accessText = (access: Access): string => {
  if ('scope' in access) return `key or session with ${scopesOf(access).join(' or ')}`
  if ('session' in access) return 'session'
  if ('operator' in access) return access.operator === 'token' ? 'operator’s token' : 'operator'
  return 'open'
}

describe('access table in routes.ts', () => {
  it('lists every route with the access that it has', () => {
    const source = readFileSync(new URL('routes.ts', import.meta.url), 'utf8')
    const rows = [...source.matchAll(/^ \* \| ((?:GET|POST|PATCH|DELETE) \S+) \| (.+) \|$/gm)]
    assert.deepEqual(
      rows.map(([, operation, access]) => `${operation}: ${access}`),
      routes.map(({ method, path, access }) => `${method} ${path}: ${accessText(access)}`),
    )
  })
})
