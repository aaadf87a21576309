import { eventBody } from '@postrider/contracts/http/event.ts'
import { testEvent } from '@postrider/contracts/http/eventExamples.ts'
import type { EventType } from '@postrider/domain/events/event.ts'
import { newId } from '@postrider/kit/ids.ts'

/** Returns a made-up event, marked as the API marks its test events. */
export const syntheticEvent = (type: EventType) =>
  eventBody(testEvent({ id: newId('evt'), type, at: Date.now(), workspace: '', mode: 'test', webhook: null }))
