/** How whoever is no run of its own takes the fence of a target. */
import { randomUUID } from 'node:crypto'
import { FencedError, type OpenTarget } from '@tributary/engine/ports/target'

export interface FenceClaim {
  readonly writerId: string
  /** Given by the store, higher than every one before. */
  readonly fence: number
  /** Makes the store count on from there, unless somebody else has taken a fence meanwhile: then undefined. */
  readonly countOnFrom: (newest: number) => Promise<number | undefined>
}

/**
 * A target that has seen a higher fence than the store ever gave has outlived it: the store was restored from a backup. Its count
 * then goes on from the target's. Throws `Fenced` where the higher one is another writer's.
 */
export async function claimFence(target: OpenTarget, { writerId, fence, countOnFrom }: FenceClaim): Promise<void> {
  const begin = (under: number) => target.begin({ connectorId: writerId, runId: randomUUID(), fence: under })
  try {
    await begin(fence)
  } catch (error) {
    const next = error instanceof FencedError && error.newest !== null ? await countOnFrom(error.newest) : undefined
    if (next === undefined) throw error
    await begin(next)
  }
}
