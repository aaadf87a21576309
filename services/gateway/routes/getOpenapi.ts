import { z } from 'zod'
import { openRoute } from '../route.ts'

export const getOpenapi = openRoute({
  name: 'getOpenapi',
  method: 'GET',
  path: '/api/v1/openapi.json',
  open: true,
  tag: 'About',
  summary: 'Read this document',
  limit: null,
  reply: {
    status: 200,
    body: z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApi' }),
    description: 'OpenAPI 3.1, made from the schemas that check requests.',
  },
  handle: async (_request, { openapiText }: { openapiText(): Promise<string> }) => ({ jsonText: await openapiText() }),
})
