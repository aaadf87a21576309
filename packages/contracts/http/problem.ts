import { z } from 'zod'

/** Every answer that isn't 2xx. */
export const ProblemRecord = z
  .looseObject({
    type: z
      .string()
      .describe('Where the code is explained, relative to the service.')
      .meta({ example: '/problems/quota-exceeded' }),
    title: z.string().describe('The code in words.'),
    status: z.int().describe('The HTTP status again.'),
    detail: z.string().describe('What happened and what to do, for people.'),
    code: z.string().describe('What went wrong, for machines; it never changes.').meta({ example: 'quota_exceeded' }),
    request_id: z.string().describe('Names this request in our logs; quote it when you ask for help.'),
    errors: z
      .array(
        z.looseObject({
          path: z.string().describe('Where in the request, such as `to[3]`; empty: the whole.'),
          code: z.string().describe('The finer name of this problem.'),
          message: z.string().describe('What is wrong, for people.'),
        }),
      )
      .describe('Every single problem; empty where there is nothing to point at.'),
  })
  .meta({ id: 'Problem', description: 'What went wrong, in the members of RFC 9457.' })
