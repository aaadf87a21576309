import { ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js'
import { tokenCheck } from './credentials.ts'
import { healthPath } from './health.ts'

/** Ends a call without our token before any of its message is taken; probes have none and need none. */
export const authenticate = (token: string): ServerInterceptor => {
  const isOurs = tokenCheck(token)
  return ({ path }, call) => {
    if (path.startsWith(healthPath)) return new ServerInterceptingCall(call)
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, goOn) => {
            if (isOurs(metadata.get('authorization')[0])) goOn(metadata)
            else call.sendStatus({ code: status.UNAUTHENTICATED, details: 'the wire token is missing or wrong' })
          },
        }),
    })
  }
}
