/** JSON values of a payload. */
export type EventValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly EventValue[]
  | { readonly [name: string]: EventValue }

/** The members of a payload's `data`, named and ordered as the API shows them. */
export type EventData = { readonly [name: string]: EventValue }
