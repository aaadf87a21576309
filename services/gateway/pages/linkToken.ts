import type { FormFields } from './formFields.ts'

/** Longer texts cannot be tokens. */
const maxLength = 200

/** Returns the token of a link, from the query of its address or from the form of its page. Empty: there is none. */
export const linkToken = (fields: FormFields): string => (fields.get('token') ?? '').slice(0, maxLength)
