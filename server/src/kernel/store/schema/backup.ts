/** The tables of backups and restores. */
import type { Generated } from 'kysely'
import type { Time, TimeOrNull, TimeWithDefault } from './column-types.ts'

interface BackupTable {
  id: Generated<string>
  madeAt: Time
  finishedAt: TimeWithDefault
  bytes: number
  rows: number
}

interface RestoreTable {
  id: Generated<string>
  madeAt: TimeOrNull
  restoredAt: TimeWithDefault
  settledAt: TimeOrNull
}

export interface BackupSchema {
  backup: BackupTable
  restore: RestoreTable
}
