/** Keeps everything from writing to a warehouse while the last changes are copied. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, escapeIdentifier as q } from 'pg'
import type { WarehouseServer } from '../../../connections/databases/warehouse-server.ts'
import type { Db, Store } from '../../../kernel/store/store.ts'
import type { WarehouseRow } from '../queries.ts'
import { asAdmin } from '../warehouse-database.ts'

const pollMs = 250

/** How long runs and loads may take to end by themselves. They are then interrupted, and runs continue after the move. */
export interface HoldPatience {
  readonly patienceMs: number
}

/**
 * Nothing opens the warehouse for writing now (`warehouseTarget`): runs wait. Waits for what writes at the moment. Then
 * PostgreSQL itself refuses the writer, so that not even a process that was frozen can write once it continues.
 */
export async function holdWriters(
  store: Store,
  server: WarehouseServer,
  names: WarehouseRow,
  { patienceMs, signal }: HoldPatience & { readonly signal: AbortSignal },
): Promise<void> {
  const { organisationId, writerName } = names
  const giveUpAt = performance.now() + patienceMs
  await asAdmin(server, undefined, async (admin) => {
    while (performance.now() < giveUpAt) {
      signal.throwIfAborted()
      const running = await store.within(organisationId, (db) => countRunning(db, organisationId))
      if (running === 0 && (await countSessions(admin, writerName)) === 0) break
      await sleep(pollMs, undefined, { signal })
    }
    await admin.query(`ALTER ROLE ${q(writerName)} NOLOGIN`)
    await endSessions(admin, writerName)
  })
}

/** Lets the writer sign in at this server again. */
export async function releaseWriter(
  server: WarehouseServer,
  { writerName }: Pick<WarehouseRow, 'writerName'>,
): Promise<void> {
  await asAdmin(server, undefined, (admin) => admin.query(`ALTER ROLE ${q(writerName)} LOGIN`))
}

async function countRunning(db: Db, organisationId: string): Promise<number> {
  const { running } = await db
    .selectFrom('run')
    .select((eb) => eb.fn.countAll<number>().as('running'))
    .where('organisationId', '=', organisationId)
    .where('status', '=', 'RUNNING')
    .executeTakeFirstOrThrow()
  return running
}

async function countSessions(admin: Client, role: string): Promise<number> {
  const { rows } = await admin.query<{ sessions: number }>(
    'SELECT count(*)::int AS sessions FROM pg_stat_activity WHERE usename = $1',
    [role],
  )
  return rows[0]?.sessions ?? 0
}

/** Of a role that cannot sign in any more. Returns once none is left. */
export async function endSessions(admin: Client, role: string): Promise<void> {
  while ((await countSessions(admin, role)) > 0) {
    await endSessionsOnce(admin, role)
    await sleep(50)
  }
}

/** As the role itself, because only it and a superuser may end its sessions. */
export async function endSessionsOnce(admin: Client, role: string): Promise<void> {
  await admin.query('BEGIN')
  await admin.query(`SET LOCAL ROLE ${q(role)}`)
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = current_user')
  await admin.query('COMMIT')
}
