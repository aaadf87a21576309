import type { Http2Stream } from 'node:http2'
import type { Metadata } from '@grpc/grpc-js'
import { type ByteShare, byteBudget, takeInTime } from '../byteBudget.ts'
import { Fault } from '../fault.ts'
import { type CallOutcome, faultOutcome } from './outcome.ts'

/*
 * Bounds the memory of long messages. A message is read beyond the first window of its stream only when it has its
 * share of a budget, which it has until its call has ended. Until then HTTP/2 flow control stops the client from
 * sending the rest.
 */

/**
 * A message up to this size uses nothing of the budget: most of it arrives with the first window of its stream, before
 * it is read. A longer one is never part of a batch.
 */
export const shortMessageBytes = 64 * 1_024

/** Metadata of a long call: the workspace that it belongs to. Callers of release 0.1 do not send it. */
export const ownerHeader = 'postrider-workspace'

/** How long a message waits for its share. */
const waitMs = 2_000

export type LongMessagesOptions = {
  /** The methods whose messages are counted. */
  paths: ReadonlySet<string>
  /** Maximum number of bytes of long messages in memory at the same time. One workspace may have five eighths. */
  capacityBytes: number
  /** The longest message that the server reads; a longer one is refused by the library. */
  maxBytes: number
  onRefused(): void
}

/** A call whose caller is known, before its message is read. */
export type UnreadCall = {
  path: string
  stream: Http2Stream
  metadata: Metadata
  /** Whether it has a response or was canceled, or its deadline has passed. */
  isEnded(): boolean
  /** Sets what is called then. */
  onEnd(listener: () => void): void
  /** Ends the call without reading more of it. */
  refuse(outcome: CallOutcome): void
}

export type LongMessages = {
  /** Makes a long message wait for its share, and refuses it if there is none in time. */
  watch(call: UnreadCall): void
  /** Returns the share of a message that was read. Its call disposes it at its end, even if the client left before. */
  shareOf(metadata: Metadata): ByteShare | null
}

export const longMessages = ({ paths, capacityBytes, maxBytes, onRefused }: LongMessagesOptions): LongMessages => {
  const part = (bytes: number) =>
    byteBudget({ capacityBytes: bytes, maxBytesPerOwner: Math.floor((bytes * 5) / 8), isFirstFit: true })
  const read = part(capacityBytes)
  // The first windows of messages that wait.
  const unread = part(Math.floor(capacityBytes / 4))
  const shares = new WeakMap<Metadata, ByteShare>()

  const shareOf: LongMessages['shareOf'] = (metadata) => {
    const share = shares.get(metadata) ?? null
    shares.delete(metadata)
    return share
  }

  /** Waits for the share of a message. @returns null: there is none in time, or the call ended */
  const wait = async (call: UnreadCall, wanted: { owner: string; bytes: number }): Promise<ByteShare | null> => {
    using window = unread.tryTake(wanted.owner, shortMessageBytes)
    if (window === null) return null
    const ended = new AbortController()
    call.onEnd(() => ended.abort())
    call.stream.pause()
    return takeInTime(read, { ...wanted, waitMs, signal: ended.signal })
  }

  const reserve = async (call: UnreadCall, bytes: number): Promise<void> => {
    const { stream, metadata } = call
    const owner = String(metadata.get(ownerHeader)[0] ?? '')
    const share = read.tryTake(owner, bytes) ?? (await wait(call, { owner, bytes }))
    if (call.isEnded() || stream.destroyed) {
      share?.[Symbol.dispose]()
      return
    }
    if (share === null) {
      onRefused()
      call.refuse(faultOutcome(noRoomFault()))
      return
    }
    shares.set(metadata, share)
    // A call that has started has its share.
    call.onEnd(() => shareOf(metadata)?.[Symbol.dispose]())
    stream.resume()
  }

  const watch: LongMessages['watch'] = (call) => {
    if (!paths.has(call.path)) return
    onLength(call.stream, (length, isCompressed) => {
      if (length > maxBytes) return
      // Our clients compress nothing. Only the limit bounds the size of a decompressed message.
      const bytes = isCompressed ? maxBytes : length
      if (bytes > shortMessageBytes) void reserve(call, bytes)
    })
  }

  return { watch, shareOf }
}

const noRoomFault = (): Fault => {
  const detail = 'Too many long messages are in progress; try again in a second.'
  return new Fault('unavailable', detail, { retryAfterMs: 1_000, expected: true, accepted: 'no' })
}

/** The flag for compression and the length, before each message of gRPC. */
const prefixBytes = 5

/** Calls back with the length of the first message of a stream, before the library reads that part. */
const onLength = (stream: Http2Stream, use: (bytes: number, isCompressed: boolean) => void): void => {
  let prefix = Buffer.alloc(0)
  const readPrefix = (chunk: Buffer): void => {
    prefix = Buffer.concat([prefix, chunk.subarray(0, prefixBytes - prefix.length)])
    if (prefix.length < prefixBytes) return
    stream.off('data', readPrefix)
    use(prefix.readUInt32BE(1), prefix[0] !== 0)
  }
  // The library reads with a listener of its own; a paused stream stays paused.
  stream.prependListener('data', readPrefix)
}
