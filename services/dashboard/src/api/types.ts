import type { components, operations } from './gen/schema.ts'

type Schemas = components['schemas']

export type Session = Schemas['Session']
export type Email = Schemas['Email']
export type EmailDetail = Schemas['EmailDetail']
export type EmailContent = Schemas['EmailContent']
export type EmailEvent = Schemas['EmailEvent']
export type ExplainedAttempt = Schemas['ExplainedAttempt']
export type ExplainedRecipient = Schemas['ExplainedRecipient']
export type EmailStatus = Email['status']
export type RecipientStatus = ExplainedRecipient['status']
export type ApiKey = Schemas['ApiKey']
export type CreatedApiKey = Schemas['CreatedApiKey']
export type Scope = ApiKey['scopes'][number]
export type Role = Session['role']
export type Membership = Schemas['WorkspaceMembership']
export type Problem = Schemas['Problem']

/** Types of the API for a person with a session. */
export type Mode = Email['mode']
export type EmailFilters = NonNullable<operations['listEmails']['parameters']['query']>
