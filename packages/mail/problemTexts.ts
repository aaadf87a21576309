/** Returns the problem of a text that is too long. */
export const tooLong = (max: number, unit = 'characters') => ({
  code: 'too_long',
  message: `Must be at most ${max} ${unit}.`,
})

/** The problem of a text that is empty where one is required. */
export const emptyText = { code: 'empty', message: 'Must not be empty.' } as const
