import { beginSpan, type OpenSpan, serverOf } from '@postrider/kit/trace.ts'
import type { CommandStartedEvent, MongoClient } from 'mongodb'

/** A name and no more: what is asked for may hold an address. */
const collectionOf = ({ commandName, command }: CommandStartedEvent): string | undefined => {
  const named = command[commandName === 'getMore' ? 'collection' : commandName]
  return typeof named === 'string' ? named : undefined
}

const attributesOf = ({ databaseName, commandName, address }: CommandStartedEvent, collection: string | undefined) => ({
  'db.system.name': 'mongodb',
  'db.namespace': databaseName,
  'db.operation.name': commandName,
  ...(collection !== undefined && { 'db.collection.name': collection }),
  ...serverOf(address),
})

/** Every command that is part of a trace is a span of it. For a client that monitors its commands. */
export const traceCommands = (client: MongoClient): void => {
  const open = new Map<number, OpenSpan>()
  const end = (requestId: number, failed?: unknown): void => {
    open.get(requestId)?.end(failed)
    open.delete(requestId)
  }
  client.on('commandStarted', (event) => {
    const collection = collectionOf(event)
    const name = collection === undefined ? event.commandName : `${event.commandName} ${collection}`
    const begun = beginSpan({ name, kind: 'client', attributes: attributesOf(event, collection) })
    if (begun !== null) open.set(event.requestId, begun)
  })
  client.on('commandSucceeded', ({ requestId }) => end(requestId))
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, failure))
}
