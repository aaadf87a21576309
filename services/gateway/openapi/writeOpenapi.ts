import { writeFile } from 'node:fs/promises'
import { routes } from '../routes/routes.ts'
import { openapiDocument } from './openapi.ts'

/**
 * Writes docs/openapi.json, which the gateway serves; `npm run gen` runs it, and `npm run check` fails if the file is
 * out of date.
 */
const file = new URL('../../../docs/openapi.json', import.meta.url)
await writeFile(file, `${JSON.stringify(openapiDocument(routes), null, 2)}\n`)
