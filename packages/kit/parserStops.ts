import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { misfitLog, type WarningLog } from './misfitLog.ts'

type OnIncoming = (request: IncomingMessage, keepAlive: boolean) => number
type ParsedSocket = Socket & { parser?: { onIncoming?: OnIncoming } }
type Listener = (...args: unknown[]) => void

/**
 * Treatment of a request by a parser: `stop` makes the server emit `upgrade` with it, `drop` ignores it and the rest of
 * the piece.
 */
export type NextStep = 'begin' | 'stop' | 'drop'

/** Result of `onIncoming` for a request to change the protocol, after which the parser stops. */
const upgraded = 2

/**
 * Events of a connection by which Node sends and ends the responses in progress. Node stops listening to them before
 * `upgrade`.
 */
const responseEvents = ['drain', 'close'] as const

/**
 * Makes Node's parser stop in the middle of a piece. It would make all requests of a piece in one step: 64 KiB hold
 * 1,600 short ones, and nothing public stops it. The method `onIncoming` of the parser is no public member of Node 24.
 * The first connection whose parser has none is logged as a warning. Without it the server works, but what one piece
 * costs has no bound.
 */
export const parserStops = (log: WarningLog) => {
  /** Listeners of connections whose parser has stopped. */
  const detached = new WeakMap<Socket, [event: string, listener: Listener][]>()
  const logMisfit = misfitLog(log, 'node:http')
  return {
    /**
     * @param next returns what the parser of a connection does with a request. A request to change the protocol never
     * begins.
     */
    watch: (socket: Socket, next: (isUpgrade: boolean) => NextStep): void => {
      const { parser } = socket as ParsedSocket
      const onIncoming = parser?.onIncoming
      if (!parser || typeof onIncoming !== 'function') {
        logMisfit('a parser has no method onIncoming')
        return
      }
      parser.onIncoming = (request, keepAlive) => {
        const step = next(isUpgraded(request))
        if (step === 'begin') return onIncoming(request, keepAlive)
        if (step === 'stop') detached.set(socket, listenersOf(socket))
        // Node emits `upgrade` if this is true, with a copy of the rest.
        Object.assign(request, { upgrade: step === 'stop' })
        return upgraded
      }
    },
    /**
     * Makes the responses in progress of a stopped connection continue.
     * @returns ends this, before the connection is read again
     */
    continueResponses: (socket: Socket): (() => void) => {
      const removed = (detached.get(socket) ?? []).filter(([event, one]) => !socket.listeners(event).includes(one))
      for (const [event, listener] of removed) socket.on(event, listener)
      return () => {
        for (const [event, listener] of removed) socket.off(event, listener)
      }
    },
  }
}

const isUpgraded = (request: IncomingMessage): boolean => (request as { upgrade?: unknown }).upgrade === true

const listenersOf = (socket: Socket): [string, Listener][] =>
  responseEvents.flatMap((event) => socket.listeners(event).map((one): [string, Listener] => [event, one as Listener]))
