import { parentPort, workerData } from 'node:worker_threads'
import { compressedFile, siteFiles } from '../pages/docs/siteFiles.ts'
import { routes } from '../routes/routes.ts'
import type { DocumentsOptions, MadeDocuments } from './documents.ts'
import { openapiDocument } from './openapi.ts'

// Started by `makeDocuments`.
const { secure, publicUrl, dashboard } = workerData as DocumentsOptions
const json = JSON.stringify(openapiDocument(routes, { secure }))
const documents: MadeDocuments = {
  openapi: compressedFile(json, 'application/json; charset=utf-8'),
  ...siteFiles(JSON.parse(json), { publicUrl, dashboard }),
}
parentPort?.postMessage(documents)
