/**
 * Object with new events: an email, or an event of the workspace, by its id; or `clockHint`
 * (domain/webhooks/testClock.ts).
 */
export type EventHint = { workspace: string; id: string }

/**
 * Signals that a record has new events, after they are stored. It carries ids only. A lost hint delays webhooks and
 * loses none: each endpoint has a cursor in the feed of events, and missing events are found from there.
 */
export type EventHints = {
  /** Notifies one of the listeners. */
  ring(hints: readonly EventHint[]): void
  /** @returns a function that stops listening */
  listen(onHints: (hints: readonly EventHint[]) => void): () => void
}
