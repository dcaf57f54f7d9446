/** How far a stream has been read: the content of its checkpoint. */
import type { Checkpoint } from '../../../ports/model.ts'
import type { PagePosition } from '../paging-steps.ts'
import type { DetailKey } from './details.ts'

export interface Progress {
  /** The lower bound of the read that is under way, in milliseconds since 1970; null: everything is read. */
  readonly since: number | null
  /** Up to when every change is known once that read has ended; null: not read yet. */
  readonly until: number | null
  /** The page with which to continue; null: the read is complete or starts with the first page. */
  readonly position: PagePosition
  /** Documents of earlier pages that are still to be read. */
  readonly pending: readonly DetailKey[]
  readonly isComplete: boolean
  /** Of a feed: what the next read begins with. */
  readonly token: string | null
}

export const nothingRead: Progress = {
  since: null,
  until: null,
  position: null,
  pending: [],
  isComplete: false,
  token: null,
}

export function progressFrom(checkpoint: Checkpoint | null): Progress {
  if (checkpoint === null) return nothingRead
  const { since, until, position, after, pending, token } = checkpoint
  return {
    since: typeof since === 'number' ? since : null,
    until: typeof until === 'number' ? until : null,
    position:
      typeof position === 'string' || typeof position === 'number'
        ? { at: position, ...(typeof after === 'string' && { after }) }
        : null,
    pending: typeof pending === 'string' ? (JSON.parse(pending) as DetailKey[]) : [],
    isComplete: checkpoint['isComplete'] === true,
    token: typeof token === 'string' ? token : null,
  }
}

/** Leaves out what is empty. */
export function checkpointOf({ since, until, position, pending, isComplete, token }: Progress): Checkpoint {
  return {
    ...(since !== null && { since }),
    ...(until !== null && { until }),
    ...(position !== null && { position: position.at, ...(position.after !== undefined && { after: position.after }) }),
    ...(pending.length > 0 && { pending: JSON.stringify(pending) }),
    ...(token !== null && { token }),
    isComplete,
  }
}
