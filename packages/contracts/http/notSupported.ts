import { z } from 'zod'

/**
 * A field that the contract has and this version does not implement. It is refused unless it is absent: a caller that
 * requests an effect must not assume that there is one.
 */
export const notSupportedYet = (description: string) =>
  z
    .custom<undefined>((value) => value === undefined, {
      params: { code: 'not_supported' },
      error: 'This field is not supported yet; leave it out.',
    })
    .meta({ type: 'string', description: `${description} Not supported yet: refused with \`not_supported\`.` })
    .optional()
