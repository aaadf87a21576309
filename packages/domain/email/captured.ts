/** Notice of live mail that was captured: it counts as delivered, and no server received it. */
export const capturedNotice =
  'This message did not leave the service: the mail route is mailbox:, so it was captured in the mailbox instead of being sent.'
