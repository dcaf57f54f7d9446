/** Tests a server that holds warehouses, and measures what is used of it. */
import type { Client } from 'pg'
import type { ConnectionServices } from '../../../connections/connection-services.ts'
import type { WarehouseServer } from '../../../connections/databases/warehouse-server.ts'
import { isoTime } from '../../../kernel/clock.ts'
import { missingAttributes, readAdmin } from '../missing-rights.ts'
import { asAdmin } from '../warehouse-database.ts'
import { forEachServer } from './each-server.ts'

export interface ServerCheck {
  readonly isReady: boolean
  /** Such as `18.1`. Null if it does not answer. */
  readonly version: string | null
  /** What is wrong and what to do, for people. */
  readonly problems: readonly string[]
}

const oldestVersion = 15

export async function checkServer(server: WarehouseServer): Promise<ServerCheck> {
  try {
    return await asAdmin(server, undefined, checkRights)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      isReady: false,
      version: null,
      problems: [`The server does not answer, or refuses the sign-in: ${reason}`],
    }
  }
}

async function checkRights(admin: Client): Promise<ServerCheck> {
  const { rows } = await admin.query<{ version: string; major: number }>(
    `SELECT split_part(current_setting('server_version'), ' ', 1) AS version, current_setting('server_version_num')::int / 10000 AS major`,
  )
  const { version = '', major = 0 } = rows[0] ?? {}
  const missing = missingAttributes(await readAdmin(admin))
  const problems = [
    ...(major < oldestVersion ? [`PostgreSQL ${version} is too old: warehouses need ${oldestVersion} or newer.`] : []),
    ...missing.map(
      (statement) => `The role lacks rights. The operator of the server can grant them with: ${statement}`,
    ),
  ]
  return { isReady: problems.length === 0, version, problems }
}

/** Stores what is used of each server, and since when those that do not answer are away. */
export async function measureServers(
  services: Pick<ConnectionServices, 'clock' | 'secrets' | 'store' | 'warehouse'>,
): Promise<void> {
  await forEachServer(services, async ({ id, server }) => {
    const measured = await readSize(server).then(
      (sizeBytes) => ({ sizeBytes }),
      (error: unknown) => ({ error }),
    )
    await storeMeasure(services, id, 'sizeBytes' in measured ? measured.sizeBytes : null)
    if ('error' in measured) throw measured.error
  })
}

/** @param sizeBytes null: the server does not answer */
async function storeMeasure(
  { clock, store }: Pick<ConnectionServices, 'clock' | 'store'>,
  id: string,
  sizeBytes: number | null,
): Promise<void> {
  const now = isoTime(clock.now())
  // Across: servers belong to no organisation.
  await store.across((db) =>
    db
      .updateTable('warehouseServer')
      .set((eb) =>
        sizeBytes === null
          ? { checkedAt: now, unreachableSince: eb.fn.coalesce('unreachableSince', eb.val(now)) }
          : { checkedAt: now, sizeBytes, unreachableSince: null },
      )
      .where('id', '=', id)
      .execute(),
  )
}

/** Of all warehouses of the server, also those of other installations. */
async function readSize(server: WarehouseServer): Promise<number> {
  return await asAdmin(server, undefined, async (admin) => {
    const { rows } = await admin.query<{ bytes: number }>(
      `SELECT coalesce(sum(pg_database_size(oid)), 0)::float8 AS bytes FROM pg_database
       WHERE datname ~ '^w_[0-9a-f]{16}$' AND has_database_privilege(oid, 'CONNECT')`,
    )
    return rows[0]?.bytes ?? 0
  })
}
