import type { DispatcherOptions } from '../../services/dispatcher/dispatcher.ts'

/** Options of a dispatcher without sending domains. */
export const unsignedMail: Pick<DispatcherOptions, 'domains' | 'secrets' | 'sender'> = {
  domains: { signing: async () => null, byName: async () => null },
  secrets: null,
  sender: { address: 'mail@postrider.test' },
}
