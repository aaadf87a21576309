import type { Peers } from '../clientAddress.ts'
import type { Step } from '../context.ts'

/** Finds out where a request comes from, once for all steps. */
export const knowPeer = (peers: Peers, alwaysSecure: boolean): Step =>
  function knowPeer(context, next) {
    context.state.clientAddress = peers.clientAddress(context.req)
    context.state.secure = alwaysSecure || peers.isSecure(context.req)
    context.state.asker = null
    context.state.emailId = null
    return next()
  }
