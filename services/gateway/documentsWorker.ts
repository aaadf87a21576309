import { parentPort, workerData } from 'node:worker_threads'
import type { DocumentBytes, DocumentsOptions } from './documents.ts'
import { openapiDocument } from './openapi.ts'
import { referencePage } from './pages/reference.ts'
import { routes } from './routes/routes.ts'

// Started by `makeDocuments`.
const { secure, publicUrl } = workerData as DocumentsOptions
const json = JSON.stringify(openapiDocument(routes, { secure }))
const documents: DocumentBytes = {
  openapi: new TextEncoder().encode(json),
  reference: new TextEncoder().encode(referencePage(json, publicUrl)),
}
const { openapi, reference } = documents
parentPort?.postMessage(documents, [openapi.buffer as ArrayBuffer, reference.buffer as ArrayBuffer])
