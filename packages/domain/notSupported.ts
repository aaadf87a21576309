/**
 * The problem of a field that the contract has and this version does not implement. Such a field is refused: a caller that
 * restricts a key, or asks for content to be deleted, must not believe that this has an effect.
 */
export const notSupported = {
  code: 'not_supported',
  message: 'This field is not supported yet; leave it out.',
} as const
