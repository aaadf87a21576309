import { webhookRules } from '@postrider/domain/webhooks/url.ts'
import { webhookClientConformance } from '@postrider/ports/webhookClient.conformance.ts'
import { fakeWebhookClient } from '../../../test/support/fakeWebhookClient.ts'
import { patientWebhookClient } from '../../../test/support/patientWebhookClient.ts'
import { startWebhookServer } from '../../../test/support/webhookReceiver.ts'

webhookClientConformance('undici', async ({ totalMs }) => {
  const cleanUp = new AsyncDisposableStack()
  const client = patientWebhookClient({ rules: webhookRules({ allow: ['127.0.0.0/8'] }), limits: { totalMs } })
  return {
    client,
    receive: async (reply) => cleanUp.use(await startWebhookServer(reply)),
    [Symbol.asyncDispose]: async () => {
      await client.close()
      await cleanUp.disposeAsync()
    },
  }
})

webhookClientConformance('fake', async ({ totalMs }) => {
  const client = fakeWebhookClient({ totalMs })
  return {
    client,
    receive: async (reply) => client.receive(reply),
    [Symbol.asyncDispose]: () => client.close(),
  }
})
