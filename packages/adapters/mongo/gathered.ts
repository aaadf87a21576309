/** How calls about emails are gathered: `most` in a batch, and so many batches at once. */
export const gathered = { most: 200, atOnce: 2 } as const
