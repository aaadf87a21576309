import assert from 'node:assert/strict'
import { QueryClient } from '@tanstack/react-query'
import { showStored } from './showStored.ts'

const queryKey = ['record']

describe('record after a change', () => {
  it('stays when a read that began before it returns later', async () => {
    const queries = new QueryClient()
    const answered = Promise.withResolvers<string>()
    queries.setQueryData(queryKey, 'former')
    const read = queries.fetchQuery({ queryKey, queryFn: () => answered.promise })
    showStored(queries, queryKey, 'stored')
    answered.resolve('former')
    await read
    assert.equal(queries.getQueryData(queryKey), 'stored')
    queries.clear()
  })

  it('is shown in place of a first read', async () => {
    const queries = new QueryClient()
    const answered = Promise.withResolvers<string>()
    const read = queries.fetchQuery({ queryKey, queryFn: () => answered.promise }).catch(() => 'canceled')
    showStored(queries, queryKey, 'stored')
    answered.resolve('former')
    await read
    assert.equal(queries.getQueryData(queryKey), 'stored')
    queries.clear()
  })
})
