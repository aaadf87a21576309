import type { HttpResponse } from '../support/http.ts'
import { ending, kindOf } from './pathRecords.ts'
import type { FuzzRequest } from './request.ts'
import { randomRequest } from './requests.ts'
import { runStory } from './story.ts'
import { drawFrom } from './values.ts'
import type { World } from './world.ts'

/** Whether a caller of the main workspace made the request: a key of one scope can delete records too. */
const isOwn = ({ headers }: FuzzRequest, { owner, liveKey, testKey, keys }: World): boolean =>
  [owner, liveKey, testKey, ...keys.values()].some((one) =>
    Object.entries(one).every(([name, value]) => headers[name] === value),
  )

const learn = async (world: World, request: FuzzRequest, { status, body }: HttpResponse<unknown>): Promise<void> => {
  const { operation } = request
  if (operation === null || status >= 300) return
  if (ending.has(operation.id)) world.dropVictim()
  if (operation.id === 'setWorkspaceControls') await world.limitVictim()
  if (!isOwn(request, world)) return
  world.records.learn(body)
  const id = request.path.split('?')[0]?.split('/').at(-1) ?? ''
  if (operation.method === 'DELETE') world.records.forget(kindOf(operation), id)
}

/** Reads the next page of a list. */
const followed = (request: FuzzRequest, { status, body }: HttpResponse<unknown>): FuzzRequest | null => {
  const cursor = (body as { next_cursor?: unknown } | undefined)?.next_cursor
  if (request.expected.kind !== 'valid' || status !== 200 || typeof cursor !== 'string') return null
  const separator = request.path.includes('?') ? '&' : '?'
  return { ...request, name: 'the next page', path: `${request.path}${separator}cursor=${encodeURIComponent(cursor)}` }
}

/** Makes the requests of the story, and then random requests until there were this many in all. */
export const runFuzz = async (world: World, { seed, requests }: { seed: number; requests: number }): Promise<void> => {
  await runStory(world)
  for (let index = 0; world.seen.requests < requests; index++) {
    const request = await randomRequest(world, drawFrom(seed + index))
    const response = await world.send(request)
    await learn(world, request, response)
    const next = followed(request, response)
    if (next) await world.send(next)
  }
}
