/** Formats milliseconds since the epoch as RFC 3339 in UTC with milliseconds, the only form of a time in the API. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()
