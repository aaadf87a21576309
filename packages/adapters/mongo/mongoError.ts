import { MongoServerError } from 'mongodb'

/** Whether a write was refused because a unique index has its value already. */
export const isTaken = (thrown: unknown): boolean => thrown instanceof MongoServerError && thrown.code === 11_000
