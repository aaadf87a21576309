import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project.ts'
import { withoutComments } from './wording.ts'

/**
 * Returns the code of packages and services, which contains the log messages. Comments are left out: a comment may
 * contain the text of a message that no process logs.
 */
export const productCode = (): string =>
  globSync('{packages,services}/**/*.ts', {
    cwd: root,
    exclude: ['**/*.test.ts', '**/*.conformance.ts', '**/node_modules/**', '**/dist/**'],
  })
    .map((file) => withoutComments(readFileSync(join(root, file), 'utf8')))
    .join('\n')
