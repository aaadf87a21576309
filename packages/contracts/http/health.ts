import { z } from 'zod'
import { oneOf } from './schema.ts'

/** Response of `GET /api/v1/operator/health`. */
export const HealthRecord = z
  .looseObject({
    object: z.literal('health'),
    status: oneOf(['ok', 'failing']).describe('Status of the service. `failing`: a part does not work.'),
    parts: z
      .array(
        z.looseObject({
          name: z.string().describe('The service or store; `process` is the process that responds.'),
          status: oneOf(['ok', 'failing']),
          processes: z
            .int()
            .nullable()
            .describe('How many processes of it run, of all machines. Dispatchers are counted; null: not counted.'),
          detail: z.string().nullable().describe('Reason why it does not work; null: it works.'),
        }),
      )
      .describe(
        'What the process that responds depends on, checked now. In a cluster `redis` is one of them; without it requests are served, each process with its share of the rate limits. `dispatcher` are the processes that send mail.',
      ),
  })
  .meta({ id: 'Health' })
