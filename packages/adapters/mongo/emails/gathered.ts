/**
 * How calls about emails are gathered: `most` in a batch, and so many batches at once. With 64 calls at a time an
 * email's insert, content and two writes cost this process about a fifth of what single calls do. How many batches go
 * at once makes no difference to that; with a second one a command that hangs doesn't hold up every call.
 */
export const gathered = { most: 200, atOnce: 2 } as const
