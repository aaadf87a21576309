import { z } from 'zod'

/** The body of every response with a status of 400 or more. */
export const ProblemRecord = z
  .looseObject({
    type: z.string().describe('Path of the page that explains the code.').meta({ example: '/problems/quota-exceeded' }),
    title: z.string().describe('The code in words.'),
    status: z.int().describe('The HTTP status.'),
    detail: z.string().describe('What is wrong and what to do, for people.'),
    code: z.string().describe('What is wrong, for machines; it never changes.').meta({ example: 'quota_exceeded' }),
    request_id: z.string().describe('Id of this request in our logs; quote it when you report a problem.'),
    errors: z
      .array(
        z.looseObject({
          path: z.string().describe('Path in the request, such as `to[3]`; empty: the whole request.'),
          code: z.string().describe('Code of this single problem.'),
          message: z.string().describe('What is wrong, for people.'),
        }),
      )
      .describe('Every single problem; empty if the error belongs to no part of the request.'),
  })
  .meta({ id: 'Problem', description: 'An error, with the members of RFC 9457.' })
