/**
 * Formats a whole number with a comma between thousands, as `toLocaleString('en')` does. The first call of that loads the data of
 * languages, which takes 24 ms of CPU, and processes name counts when they start.
 */
export const countText = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
