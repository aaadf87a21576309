import { createRequire } from 'node:module'
import { isMainThread } from 'node:worker_threads'

/*
 * Preloaded by the process that the e2e suites share. Hundreds of their tests sign up, and each password would cost
 * 24 ms of CPU; the parameters are tested in services/accounts/passwords.test.ts. A login to an unknown account still
 * costs as much as in production, so a flood of logins does too.
 */
type Argon2 = { hash(password: string, options: object): Promise<string> }

if (isMainThread) {
  // Before a module imports it: an import of a CommonJS module copies its exports.
  const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as Argon2
  const { hash } = argon2
  argon2.hash = (password, options) => hash(password, { ...options, memoryCost: 8, timeCost: 1 })
}
