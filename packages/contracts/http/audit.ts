import { actionFilterProblem, auditActionFilters, auditActions } from '@postrider/domain/audit/actions.ts'
import { actorTypes } from '@postrider/domain/audit/entry.ts'
import { z } from 'zod'
import { instant, listOf, oneOf, page, report, time } from './schema.ts'

const filters = {
  actor: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/, 'Must be the id of a user or a key, or user, key, operator or system.')
    .optional()
    .describe('Only entries of this user or key (an id), or of all of `user`, `key`, `operator` or `system`.'),
  action: z
    .string()
    .superRefine((filter, context) => {
      const message = actionFilterProblem(filter)
      if (message !== null) report(context, { code: 'invalid_value', message, input: filter })
    })
    .optional()
    .describe(
      `Only this action, or \`key.*\` for all actions on keys. Actions: ${auditActions.map((one) => `\`${one}\``).join(', ')}.`,
    )
    .meta({ enum: [...auditActionFilters], example: 'key.revoke' }),
  created_after: instant.optional().describe('Only entries after this time (RFC 3339).'),
  created_before: instant.optional().describe('Only entries before this time (RFC 3339).'),
}

/** Query of `GET /api/v1/audit-log`. */
export const ListAuditLog = z.object({ ...page, ...filters })

/** Query of `GET /api/v1/operator/audit-log`. */
export const ListOperatorAuditLog = z.object({
  ...page,
  ...filters,
  workspace: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/, 'Must be the id of a workspace.')
    .optional()
    .describe('Only entries of this workspace; absent: all, those without a workspace included.'),
})

const actor = z
  .looseObject({
    type: oneOf(actorTypes).describe(
      '`user`: a person with a session. `key`: an API key. `operator`: the operator of the service. `system`: the service itself.',
    ),
    id: z
      .string()
      .nullable()
      .describe(
        'Id of the user or the key. In the operator’s log also the id of the user who acted as the operator; null: the token was used.',
      ),
    email: z.string().nullable().describe('Email address of the user; null: the user no longer exists.'),
    name: z.string().nullable().describe('Name of the key; null: the actor is not a key.'),
  })
  .describe('Who did it.')

const state = (text: string) => z.record(z.string(), z.unknown()).nullable().describe(text)

const fields = {
  object: z.literal('audit_entry'),
  id: z.string().meta({ example: 'aud_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  created_at: time().describe('When it happened.'),
  actor,
  action: z.string().describe('What happened, as `noun.verb`.').meta({ example: 'key.update' }),
  target: z.string().nullable().describe('Id of the object.'),
  before: state('The changed fields before; null: the object is new, or nothing changed.'),
  after: state('The changed fields after; null: the object is gone, or nothing changed.'),
  redactions: z
    .array(
      z.looseObject({
        redacted_at: time(),
        erasure: z.string().describe('Id of the erasure that removed the address.'),
        fields: z
          .array(z.string())
          .describe('Paths of the fields that contained the address.')
          .meta({ example: ['before.email'] }),
      }),
    )
    .optional()
    .describe(
      'Fields in which the address of an erased person was replaced by `removed@removed.invalid`; absent: none.',
    ),
  client_address: z.string().nullable().describe('Address of the client; null: not known, or no client requested it.'),
}

export const AuditRecord = z.looseObject(fields).meta({ id: 'AuditEntry' })
export const AuditList = listOf(AuditRecord, 'AuditEntryList')

/** An entry as the operator reads it. */
const OperatorAuditRecord = z
  .looseObject({
    ...fields,
    workspace: z.string().nullable().describe('Id of the workspace; null: the entry belongs to none.'),
  })
  .meta({ id: 'OperatorAuditEntry' })
export const OperatorAuditList = listOf(OperatorAuditRecord, 'OperatorAuditEntryList')
