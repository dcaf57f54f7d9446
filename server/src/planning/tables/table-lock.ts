/** Whose turn it is to write the organisation's own tables: one writer at a time, each under a higher fence than those before. */
import type { OpenTarget } from '@tributary/engine/ports/target'
import { sql } from 'kysely'
import { beginWriting } from '../../connections/databases/claim-fence.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

export interface Turn {
  readonly writerId: string
  /** Goes up where the target has seen a higher one. */
  fence: number
}

/** Who has died keeps nobody out for longer. One that was only slow is refused by the target, where its fence is an old one. */
const leaseMs = 30_000
const renewMs = 5_000

const untilLater = sql<string>`now() + ${leaseMs} * interval '1 millisecond'`

/** A number that no writer before has had, and as whom it writes; undefined while another one is at it. */
export function takeTurn(db: Db, organisationId: string): Promise<Turn | undefined> {
  return (
    db
      .insertInto('tableSync')
      // The same name whenever the row is made: a store that was restored from before then finds its tables again.
      .values({ organisationId, writerId: organisationId, fence: 1, busyUntil: untilLater })
      .onConflict((conflict) =>
        conflict
          .column('organisationId')
          .doUpdateSet({ fence: sql`tableSync.fence + 1`, busyUntil: untilLater })
          .where(sql<boolean>`coalesce(tableSync.busyUntil < now(), true)`),
      )
      .returning(['writerId', 'fence'])
      .executeTakeFirst()
  )
}

/** Begins to write in one's turn. Throws `Fenced` once it is somebody else's. */
export function beginTurn(
  store: Store,
  target: OpenTarget,
  { organisationId, turn }: { readonly organisationId: string; readonly turn: Turn },
): Promise<void> {
  const countOnFrom = async (newest: number) => {
    const raised = await store.within(organisationId, (db) =>
      db
        .updateTable('tableSync')
        .set({ fence: newest + 1 })
        .where('organisationId', '=', organisationId)
        .where('fence', '=', turn.fence)
        .returning('fence')
        .executeTakeFirst(),
    )
    turn.fence = raised?.fence ?? turn.fence
    return raised?.fence
  }
  return beginWriting(target, { ...turn, countOnFrom })
}

/** Keeps the turn as long as the work goes on, and gives it back afterwards. */
export async function inTurn<T>(
  store: Store,
  { organisationId, turn }: { readonly organisationId: string; readonly turn: Turn },
  work: () => Promise<T>,
): Promise<T> {
  const hold = (busyUntil: typeof untilLater | null) =>
    store.within(organisationId, (db) => setTurn(db, organisationId, turn, busyUntil))
  // What could not be renewed runs out, and the fence sees to the rest.
  const renewing = setInterval(() => void hold(untilLater).catch(() => undefined), renewMs)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    await hold(null)
  }
}

/** Nothing is changed once the turn was given back, or is somebody else's. */
async function setTurn(
  db: Db,
  organisationId: string,
  { fence }: Turn,
  busyUntil: typeof untilLater | null,
): Promise<void> {
  await db
    .updateTable('tableSync')
    .set({ busyUntil })
    .where('organisationId', '=', organisationId)
    .where('fence', '=', fence)
    .where('busyUntil', 'is not', null)
    .execute()
}
