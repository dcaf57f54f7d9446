/** Claims the fence of a target for a writer that is not a run. */
import { randomUUID } from 'node:crypto'
import { FencedError, type OpenTarget } from '@tributary/engine/ports/target'

/**
 * A target that has seen a higher fencing token than the store ever issued shows that the store was restored from a
 * backup. The store's counter then continues from the target's. Throws `FencedError` if another writer holds the higher
 * token.
 * @param fence the fencing token from the store, higher than every earlier one
 * @param raiseFence raises the store's counter above `newest` and returns the next token; undefined if another writer
 * has claimed one since
 */
export async function claimFence(
  target: OpenTarget,
  writerId: string,
  fence: number,
  raiseFence: (newest: number) => Promise<number | undefined>,
): Promise<void> {
  const begin = (token: number) => target.begin({ connectorId: writerId, runId: randomUUID(), fence: token })
  try {
    await begin(fence)
  } catch (error) {
    const next = error instanceof FencedError && error.newest !== null ? await raiseFence(error.newest) : undefined
    if (next === undefined) throw error
    await begin(next)
  }
}
