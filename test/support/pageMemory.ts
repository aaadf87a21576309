import type { CDPSession, Page } from 'playwright-core'

/** Memory of a page after a garbage collection. */
export type PageMemory = {
  /** Nodes of all documents, including detached nodes that scripts reference. */
  nodes: number
  listeners: number
  /** Entries of the query cache of the dashboard. */
  queries: number
  heapBytes: number
}

/** Finds the query client by the property of React's provider, which a build does not rename. */
const countQueries = `(() => {
  const root = document.getElementById('root')
  let fiber = root[Object.keys(root).find((name) => name.startsWith('__reactContainer$'))]
  while (fiber && !fiber.memoizedProps?.client?.getQueryCache) fiber = fiber.child
  return fiber ? fiber.memoizedProps.client.getQueryCache().getAll().length : -1
})()`

/** Returns a function that collects the garbage of a page and counts what remains. */
export const watchMemory = async (page: Page): Promise<() => Promise<PageMemory>> => {
  const debug: CDPSession = await page.context().newCDPSession(page)
  return async () => {
    const queries = Number(await page.evaluate(countQueries))
    await debug.send('HeapProfiler.collectGarbage')
    const { nodes, jsEventListeners: listeners } = await debug.send('Memory.getDOMCounters')
    const { usedSize: heapBytes } = await debug.send('Runtime.getHeapUsage')
    return { nodes, listeners, queries, heapBytes }
  }
}
