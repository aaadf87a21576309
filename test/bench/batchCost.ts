import { Agent, request } from 'node:http'
import { startPostrider } from './contestants.ts'
import { html, text } from './dialogues.ts'
import { atMost, cell, median, roundsText, targetTable } from './report.ts'
import { startSink } from './sink.ts'

/** CPU milliseconds of the process per accepted mail. */
export type BatchCosts = { single: number; batch: number }

export type BatchResult = { at: string; machine: string; command: string; mails: number; rounds: BatchCosts[] }

const [messagesOfBatch, connections] = [100, 64]

type Post = (path: string, json: unknown) => Promise<void>

const postTo = (agent: Agent, port: number, authorization: string): Post => {
  const headers = { authorization, 'content-type': 'application/json' }
  return (path, json) =>
    new Promise((resolve, reject) => {
      const body = Buffer.from(JSON.stringify(json))
      const options = { agent, port, path, method: 'POST', headers: { ...headers, 'content-length': body.length } }
      const sent = request(options, (response) => {
        response.resume().on('end', () => {
          if (response.statusCode === 202) resolve()
          else reject(new Error(`${path} returned ${response.statusCode}`))
        })
      })
      sent.on('error', reject).end(body)
    })
}

/** Runs `count` pieces of work, as many at the same time as there are connections. */
const runAll = async (count: number, work: (number: number) => Promise<void>): Promise<void> => {
  let next = 0
  const one = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: connections }, one))
}

/**
 * Measures what it costs to accept emails one by one and in batches of 100, by the same process, while nothing is
 * delivered.
 */
export const measureBatches = async (mails: number): Promise<BatchCosts> => {
  await using sink = await startSink()
  sink.pause()
  const postrider = await startPostrider(sink.port)
  const { port, authorization = '' } = postrider.target as { port: number; authorization?: string }
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  try {
    const post = postTo(agent, port, authorization)
    let numbers = 0
    const mail = () => ({ to: [`user${numbers}@bench.example`], subject: `Message ${numbers++}`, html, text })
    const singles = (count: number) => runAll(count, () => post('/api/v1/emails', mail()))
    const batches = (count: number) =>
      runAll(count / messagesOfBatch, () =>
        post('/api/v1/emails/batch', { messages: Array.from({ length: messagesOfBatch }, mail) }),
      )
    const costOf = async (work: (count: number) => Promise<void>): Promise<number> => {
      const before = postrider.cpuMs()
      await work(mails)
      return (postrider.cpuMs() - before) / mails
    }
    await singles(1_000)
    await batches(1_000)
    return { single: await costOf(singles), batch: await costOf(batches) }
  } finally {
    agent.destroy()
    sink.resume()
    await postrider.close()
  }
}

/** Returns the measured part about batches in docs/bench.md. */
export const batchReport = ({ at, machine, command, mails, rounds }: BatchResult): string =>
  [
    `Measured ${at.slice(0, 10)} by \`${command}\` on ${machine}: ${roundsText(rounds)}, ${mails.toLocaleString('en')} emails each way.`,
    '',
    '| CPU-ms per accepted mail, median (lowest–highest) | |',
    '|---|---|',
    `| single sends, ${connections} connections | ${cell(
      rounds.map(({ single }) => single),
      3,
    )} |`,
    `| batches of ${messagesOfBatch} | ${cell(
      rounds.map(({ batch }) => batch),
      3,
    )} |`,
    '',
    ...targetTable([
      atMost(
        'an email of a batch ÷ a single send, CPU',
        0.5,
        median(rounds.map(({ single, batch }) => batch / single)),
        2,
      ),
    ]),
    '',
  ].join('\n')
