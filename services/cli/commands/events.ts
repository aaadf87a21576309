import { eventTypes } from '@postrider/domain/events/event.ts'
import { type Command, InvalidArgumentError } from 'commander'
import type { FeedEvent } from '../arrivals.ts'
import { follow } from '../follow.ts'
import { openTail } from '../tail.ts'
import type { Terminal } from '../terminal.ts'
import { contextOf } from './context.ts'
import { eventLine, pageLimit } from './emails.ts'

/** Reads types of events, separated by commas. */
export const typeList = (text: string): string => {
  const unknown = text.split(',').find((one) => !eventTypes.some((type) => type === one))
  if (unknown === undefined) return text
  throw new InvalidArgumentError(`${unknown} is not a type of event. Types: ${eventTypes.join(', ')}.`)
}

const countOf = (text: string): string => (text === '0' ? text : pageLimit(text))

export const addEventCommands = (program: Command, terminal: Terminal): void => {
  const events = program.command('events').summary('follow events').description('Follows events.')
  events
    .command('tail')
    .summary('print the latest events and follow new ones')
    .description(
      'Prints the latest events, and each new one about a second after it is stored, until Ctrl-C. Output to a file or a pipe is one JSON object on each line. An unavailable server is retried.',
    )
    .option('--type <types>', 'only events of these types, separated by commas', typeList)
    .option('-n, --lines <number>', 'latest events to print first, 0 to 100', countOf, '10')
    .option('--no-follow', 'end after the latest events')
    .addHelpText(
      'after',
      `
Examples:
  $ postrider events tail --type email.delivered,email.bounced
  $ postrider events tail --lines 100 --no-follow --json

Needs a key with emails:read.`,
    )
    .action(async (options: { type?: string; lines: string; follow: boolean }, command: Command) => {
      const context = contextOf(terminal, command)
      const tail = openTail(await context.openApi(), options.type)
      const print = (event: FeedEvent) => context.output.show(event, () => eventLine(event))
      for (const event of await tail.latest(Number(options.lines))) print(event)
      if (options.follow) await follow(tail, { output: context.output, stopped: terminal.stopped }, print)
    })
}
