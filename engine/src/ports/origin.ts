/** Which company or database is read, and how a checkpoint says so. */
import type { Checkpoint } from './model.ts'

/** Kept with every checkpoint, in the target: a store that was restored may remember another company. */
export const originKey = 'tributary_origin'

/** What is left of a checkpoint where the stream is read from its beginning: its rows stay those of somebody. */
export function keepOriginOnly(checkpoint: Checkpoint | null): Checkpoint | null {
  const { [originKey]: origin } = checkpoint ?? {}
  return origin === undefined ? null : { [originKey]: origin }
}

/** A database, where its address alone tells. One that has moved is another: reading it once more is safe, going on is not. */
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
