/** Limits how many queries of one reader run at the same time in this process. Their connections are few, and other pages need them, too. */
import { queryLimits } from '@tributary/contract/limits'
import { ApiFault } from '../../kernel/http/api-fault.ts'

const running = new Map<string, number>()

/** Returns the function that frees the slot. Throws `queriesRunning`. */
export function takeQuerySlot(reader: string): () => void {
  const count = running.get(reader) ?? 0
  if (count >= queryLimits.runningMax) throw new ApiFault('queriesRunning')
  running.set(reader, count + 1)
  return () => {
    const left = (running.get(reader) ?? 1) - 1
    if (left === 0) running.delete(reader)
    else running.set(reader, left)
  }
}
