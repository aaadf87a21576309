/** Tells the time, in milliseconds since the epoch. Injected wherever time decides something. */
export type Clock = () => number

/** RFC 3339 in UTC with milliseconds: the one spelling of a time in the API. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()
