/** The status of each migration, for the operator's console. */
import type { ClientConfig } from 'pg'
import { withClient } from '../store/with-client.ts'
import { listMigrationRecords, type Migration, readMigrations } from './migrate.ts'

export interface MigrationStatus {
  readonly name: string
  /** `unknown`: of a newer version; `changed`: its file has changed since it ran. */
  readonly state: 'done' | 'due' | 'changed' | 'unknown'
  readonly ranAt: Date | null
}

export async function readMigrationStatus(
  connection: ClientConfig,
  migrations = readMigrations(),
): Promise<readonly MigrationStatus[]> {
  return withClient(connection, async (client) => {
    const done = new Map((await listMigrationRecords(client)).map((one) => [one.name, one]))
    const names = [...new Set([...migrations.map(({ name }) => name), ...done.keys()])].toSorted()
    const ours = new Map(migrations.map((one) => [one.name, one]))
    return names.map((name) => ({
      name,
      state: stateOf(ours.get(name), done.get(name)),
      ranAt: done.get(name)?.ranAt ?? null,
    }))
  })
}

function stateOf(
  ours: Migration | undefined,
  done: { readonly checksum: string } | undefined,
): MigrationStatus['state'] {
  if (ours === undefined) return 'unknown'
  if (done === undefined) return 'due'
  return done.checksum === ours.checksum ? 'done' : 'changed'
}
