/** The tables of backups and restores. */
import type { Generated } from 'kysely'
import type { TimeColumn, NullableTimeColumn, TimeColumnWithDefault } from './column-types.ts'

interface BackupTable {
  id: Generated<string>
  madeAt: TimeColumn
  finishedAt: TimeColumnWithDefault
  bytes: number
  rows: number
}

interface RestoreTable {
  id: Generated<string>
  madeAt: NullableTimeColumn
  restoredAt: TimeColumnWithDefault
  settledAt: NullableTimeColumn
}

export interface BackupSchema {
  backup: BackupTable
  restore: RestoreTable
}
