/**
 * Formats a whole number with a comma between thousands, as `toLocaleString('en')` does. Its first call loads locale
 * data, which takes 24 ms of CPU, and processes print counts when they start.
 */
export const countText = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
