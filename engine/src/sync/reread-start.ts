/** Where to start reading the changes since the time of the request again. */
import type { RereadFrom } from './plan.ts'
import type { StreamContext } from './stream-context.ts'

/** Null if the request names no time. */
export async function findRereadStart({ source, described, changedSince }: StreamContext): Promise<RereadFrom | null> {
  if (changedSince === undefined) return null
  const checkpoint = (await source.checkpointAt?.(described, changedSince)) ?? null
  return { moment: changedSince.getTime(), checkpoint }
}
