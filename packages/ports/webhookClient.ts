/** Posts to the URL of a customer. It connects only to public addresses and those in `POSTRIDER_WEBHOOK_ALLOW`. */
export type WebhookClient = {
  /** Does now what would block the event loop at the first request. Absent: there is nothing to do. */
  prepare?(): void
  /**
   * The result is known within `maxRequestMs`. A failure of the receiver or the network is a result, not an error.
   * Follows no redirect.
   * @throws Error for header fields that HTTP does not allow
   */
  post(request: WebhookRequest): Promise<WebhookResult>
  /** Ends the running requests as `stopped` and closes the idle connections. */
  close(): Promise<void>
}

export type WebhookRequest = {
  url: string
  /** Names in lower case. The client sets `host`, `content-length`, `accept-encoding: identity` and `connection`. */
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array
  /** Ends the request as `stopped`. */
  signal?: AbortSignal | undefined
}

/** `durationMs` is from the call to the result, in whole milliseconds. */
export type WebhookResult =
  | ({ kind: 'answered'; durationMs: number } & WebhookResponse)
  /** Nothing was sent: the URL or an address of its host is refused. `detail` is for the customer, in plain words. */
  | { kind: 'blocked'; reason: BlockReason; detail: string; durationMs: number }
  /** `status` is present if the receiver sent its header and the response failed later. */
  | { kind: 'failed'; reason: FailReason; detail: string; status?: number; durationMs: number }

export type WebhookResponse = {
  status: number
  /** Names in lower case; fields that occur several times are joined with `, `. At most 16 KiB. */
  headers: Readonly<Record<string, string>>
  /** The first 4 KiB as received, still compressed if the receiver compressed them. */
  body: Uint8Array
  /** Whether the receiver sent more than `body`. */
  isBodyCut: boolean
  /** The wait that `Retry-After` requests (RFC 9110 §10.2.3), from the time of the response; absent: none. */
  retryAfterMs?: number
}

/** `url`: the URL can never be allowed. `address`: an address of the host is not allowed. */
export type BlockReason = 'url' | 'address'

export type FailReason =
  /** The host has no address, or the resolver failed. */
  | 'dns'
  /** No connection: refused, reset or unreachable. */
  | 'connect'
  /** The certificate is not valid for the host, or the TLS handshake failed. */
  | 'tls'
  /** No complete response within the time limit. */
  | 'timeout'
  /** The response is not HTTP, its header is too large, or it ended before it was complete. */
  | 'response'
  /** The caller aborted, or the client was closed. */
  | 'stopped'
