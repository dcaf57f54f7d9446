/** Checks in every test that transactions take the server's advisory locks in the declared order. */
import {
  lockChannel,
  type TakenLock,
  type TransactionLock,
  transactionLocks,
} from '../../../server/src/kernel/store/locks.ts'

const order = Object.keys(transactionLocks) as readonly TransactionLock[]
const taken = new WeakMap<object, readonly Omit<TakenLock, 'db'>[]>()
const violations: string[] = []
/** Pairs of locks that one transaction took, in order. */
export const takenLockPairs = new Set<string>()

lockChannel.subscribe((message) => {
  const { db, name, subject } = message as TakenLock
  const earlier = taken.get(db) ?? []
  // A lock that the transaction already holds is granted immediately.
  if (earlier.some((one) => one.name === name && one.subject === subject)) return
  for (const other of earlier) {
    takenLockPairs.add(`${other.name}, ${name}`)
    if (order.indexOf(other.name) > order.indexOf(name)) violations.push(`${name} after ${other.name}`)
  }
  taken.set(db, [...earlier, { name, subject }])
})

/** Returns the violations since the last call. */
export function takeLockViolations(): readonly string[] {
  return violations.splice(0)
}
