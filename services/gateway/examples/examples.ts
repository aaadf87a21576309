import { accountExamples } from './accounts.ts'
import { billingExamples } from './billing.ts'
import { domainExamples } from './domains.ts'
import { emailExamples } from './emails.ts'
import { operatorExamples } from './operator.ts'
import type { OperationExamples } from './parts.ts'
import { templateExamples } from './templates.ts'
import { webhookExamples } from './webhooks.ts'

/**
 * Examples of the API reference, by operation. A test checks each example against its schema, and sends the requests to
 * a running service.
 */
export const examples: Readonly<Record<string, OperationExamples>> = {
  ...emailExamples,
  ...templateExamples,
  ...domainExamples,
  ...billingExamples,
  ...accountExamples,
  ...operatorExamples,
  ...webhookExamples,
  getOpenapi: { reply: { openapi: '3.1.0', info: { title: 'Postrider', version: '1' }, paths: {} } },
}
