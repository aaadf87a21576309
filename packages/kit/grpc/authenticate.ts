import { ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js'
import { tokenCheck } from './credentials.ts'
import { healthPath } from './health.ts'

/** Ends a call without a token of ours before any of its message is taken. Probes need none, but a wrong one is told so. */
export const authenticate = (tokens: readonly string[]): ServerInterceptor => {
  const isOurs = tokenCheck(tokens)
  return ({ path }, call) => {
    const isProbe = path.startsWith(healthPath)
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, goOn) => {
            const [shown] = metadata.get('authorization')
            if (isOurs(shown) || (isProbe && shown === undefined)) goOn(metadata)
            else call.sendStatus({ code: status.UNAUTHENTICATED, details: 'the wire token is missing or wrong' })
          },
        }),
    })
  }
}
