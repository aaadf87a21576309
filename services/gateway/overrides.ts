/** An operator's override in the services' words: `plan`, `none` or a number. */
export const overrideText = (value: number | null | 'plan'): string => (value === null ? 'none' : String(value))

/** The same as the API shows it. */
export const overrideValue = (text: string): number | null | 'plan' =>
  text === 'plan' ? 'plan' : text === 'none' ? null : Number(text)

/** A rate or burst as the accounts keep it: absent for the plan's, 0 for no limit. */
export const rateValue = (rate: number | undefined): number | null | 'plan' =>
  rate === undefined ? 'plan' : rate || null
