import type { DispatcherOptions } from '../../services/dispatcher/dispatcher.ts'

/** The part of a dispatcher's options with which there are no sending domains. */
export const unsignedMail: Pick<DispatcherOptions, 'domains' | 'secrets' | 'sender'> = {
  domains: { signing: async () => null, byName: async () => null },
  secrets: null,
  sender: { address: 'mail@postrider.test' },
}
