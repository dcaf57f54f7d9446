/** The memory of this process and its limit, in MB (1,048,576 bytes). */
import { totalmem } from 'node:os'

const bytesPerMb = 1_048_576

/** JavaScript objects and buffers, including what is garbage but not collected yet. Excludes Node itself and its code. */
export function memoryInUseMb(): number {
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / bytesPerMb
}

/** The limit of the container, or the memory of the machine if there is no limit. */
export function memoryLimitMb(): number {
  const limit = process.constrainedMemory()
  const machine = totalmem()
  return (limit > 0 ? Math.min(limit, machine) : machine) / bytesPerMb
}
