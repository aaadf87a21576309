import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { cookieName } from '../callers/session.ts'
import type { OpenapiDocument } from '../pages/docs/apiDocument.ts'
import { plainFile, siteFiles } from '../pages/docs/siteFiles.ts'
import type { DocumentsOptions, MadeDocuments } from './documents.ts'

// Started by `makeDocuments`.
const { secure, publicUrl, dashboard } = workerData as DocumentsOptions
// Making the document from the routes would cost more CPU than all that follows: it loads every schema of the API.
const source = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')
const document = JSON.parse(source) as OpenapiDocument
document.components.securitySchemes.session.name = cookieName(secure)
const documents: MadeDocuments = {
  openapi: plainFile(JSON.stringify(document), 'application/json; charset=utf-8'),
  ...siteFiles(document, { publicUrl, dashboard }),
}
parentPort?.postMessage(documents)
