import http from 'node:http'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

/** A request, and the whole response. */
type ThreadCall = {
  port: number
  method: string
  path: string
  headers: Record<string, string>
  body: Uint8Array | null
}
type ThreadAnswer = { status: number; headers: http.IncomingHttpHeaders; text: string }

/**
 * Starts an HTTP client in a thread of its own, so that its work does not count as work of the server that runs in this
 * thread. Calls run one at a time; a body is transferred.
 */
export const clientThread = () => {
  const worker = new Worker(new URL(import.meta.url))
  return {
    call: (call: ThreadCall): Promise<ThreadAnswer> => {
      const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>()
      worker.once('error', reject)
      worker.once('message', (answer: ThreadAnswer | Error) => {
        worker.off('error', reject)
        if (answer instanceof Error) reject(answer)
        else resolve(answer)
      })
      worker.postMessage(call)
      return promise
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  }
}

const serveCalls = (): void => {
  parentPort?.on('message', ({ port, method, path, headers, body }: ThreadCall) => {
    const answer = (value: ThreadAnswer | Error): void => parentPort?.postMessage(value)
    const length = body === null ? {} : { 'content-length': String(body.byteLength) }
    const request = http.request(
      { port, host: '127.0.0.1', method, path, headers: { ...headers, ...length }, agent: false },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response
          answer({ status, headers, text: Buffer.concat(chunks).toString() })
        })
      },
    )
    request.on('error', answer)
    request.end(body)
  })
}

if (!isMainThread) serveCalls()
