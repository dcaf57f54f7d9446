/** The origin of rows: the company or database that they were read from, which checkpoints record. */
import type { Checkpoint } from './model.ts'

/** The key in every stored checkpoint. It is in the target, because a restored store may name a former company. */
export const originKey = 'tributary_origin'

/** The key in checkpoints of streams whose rows are filtered or masked: which rules the stored rows have. */
export const rulesKey = 'tributary_rules'

/**
 * Resets a checkpoint so that the stream is read from the beginning. The origin and the rules stay, because the stored
 * rows still have them.
 */
export function keepOriginOnly(checkpoint: Checkpoint | null): Checkpoint | null {
  const kept = Object.entries(checkpoint ?? {}).filter(([key]) => key === originKey || key === rulesKey)
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

/**
 * The origin of a database that has no identity but its address. After a move it counts as another one: a full read is
 * safe, continuing is not.
 */
export function databaseOrigin({
  host,
  port,
  database,
}: {
  readonly host: string
  readonly port: number
  readonly database: string
}): string {
  return `${host.toLowerCase()}:${port}/${database}`
}
