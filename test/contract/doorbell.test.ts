import { memoryDoorbell } from '@postrider/adapters/memory/doorbell.ts'
import { doorbellConformance } from '@postrider/ports/doorbell.conformance.ts'

describe('doorbells', () => {
  doorbellConformance('memory', () => ({ doorbell: memoryDoorbell(), delivered: async () => {} }))
})
