import process from 'node:process'

/**
 * Exports of `node:http` that servers need. An `import` reads every export of a built-in module, and reading those of
 * `fetch` loads Node's HTTP client, which no server uses. Without this, and the way in which services/gateway/app.ts
 * loads its router, a start takes some 40 ms more of CPU.
 */
export const { createServer, Server } = process.getBuiltinModule('node:http')
