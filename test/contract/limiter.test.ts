import process from 'node:process'
import { memoryLimiter } from '@postrider/adapters/memory/limiter.ts'
import { limiterConformance } from '@postrider/ports/limiter.conformance.ts'

const schedules = process.env['POSTRIDER_LONG'] === '1' ? 100_000 : 10_000

describe('limiters', () => {
  limiterConformance('memory', () => memoryLimiter(), schedules)
})
