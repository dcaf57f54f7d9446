/** The tables of backups and restores. */
import type { Generated } from 'kysely'
import type { TimeColumn, NullableTimeColumn, TimeColumnWithDefault } from './column-types.ts'

export interface BackupSchema {
  backup: {
    id: Generated<string>
    madeAt: TimeColumn
    finishedAt: TimeColumnWithDefault
    bytes: number
    rows: number
  }

  restore: {
    id: Generated<string>
    madeAt: NullableTimeColumn
    restoredAt: TimeColumnWithDefault
    settledAt: NullableTimeColumn
  }
}
