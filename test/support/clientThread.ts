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
 * thread. The calls of one list are sent at the same time; lists run one at a time.
 */
export const clientThread = () => {
  const worker = new Worker(new URL(import.meta.url))
  return {
    /** Returns the response to each call, with the first characters of its body. */
    call: (calls: readonly ThreadCall[], characters = Number.POSITIVE_INFINITY): Promise<ThreadAnswer[]> => {
      const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer[]>()
      worker.once('error', reject)
      worker.once('message', (answers: ThreadAnswer[] | Error) => {
        worker.off('error', reject)
        if (answers instanceof Error) reject(answers)
        else resolve(answers)
      })
      worker.postMessage({ calls, characters })
      return promise
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  }
}

const answerTo = ({ port, method, path, headers, body }: ThreadCall): Promise<ThreadAnswer> => {
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>()
  const length = body === null ? {} : { 'content-length': String(body.byteLength) }
  const request = http.request(
    { port, host: '127.0.0.1', method, path, headers: { ...headers, ...length }, agent: false },
    (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, text: Buffer.concat(chunks).toString() })
      })
    },
  )
  request.on('error', reject)
  request.end(body)
  return promise
}

const serveCalls = (): void => {
  const answer = (value: ThreadAnswer[] | Error): void => parentPort?.postMessage(value)
  parentPort?.on('message', ({ calls, characters }: { calls: ThreadCall[]; characters: number }) => {
    const shortened = (answers: ThreadAnswer[]): void =>
      answer(answers.map(({ text, ...rest }) => ({ ...rest, text: text.slice(0, characters) })))
    void Promise.all(calls.map(answerTo)).then(shortened, answer)
  })
}

if (!isMainThread) serveCalls()
