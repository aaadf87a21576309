import { setFlagsFromString } from 'node:v8'

/**
 * Makes V8 count the memory of buffers towards the limit of its heap, which grows with what is in use. By default every
 * 64 MiB of new buffers cause a collection of the whole heap, which stops the process for some 10 ms: a message of 10 MiB
 * passes through buffers of about that much in total. A version of V8 without this flag ignores it.
 */
export const collectBuffersWithHeap = (): void => setFlagsFromString('--external-memory-accounted-in-global-limit')
