import { parentPort, workerData } from 'node:worker_threads'
import { siteFiles } from '../pages/docs/siteFiles.ts'
import { routes } from '../routes/routes.ts'
import type { DocumentsOptions, MadeDocuments } from './documents.ts'
import { openapiDocument } from './openapi.ts'

// Started by `makeDocuments`.
const { secure, publicUrl, dashboard } = workerData as DocumentsOptions
const json = JSON.stringify(openapiDocument(routes, { secure }))
const documents: MadeDocuments = {
  openapi: new TextEncoder().encode(json),
  ...siteFiles(JSON.parse(json), { publicUrl, dashboard }),
}
parentPort?.postMessage(documents)
