/** The part of a SQL dialect that computes checksums of tables. */
import type { ChecksumWords, TableRead, VerifiedColumn } from '../../ports/verified-table.ts'
import type { StateKey } from './stored-state.ts'
import type { TargetColumn } from './table-layout.ts'

/** Checksums of tables, in the words of the server at the other end of a session. */
export interface TableChecksums {
  readonly words: ChecksumWords
  /** @param sourceName name of the column in the stream */
  column(column: TargetColumn, sourceName: string): VerifiedColumn
}

export interface VerificationSql<Session> {
  checksums(session: Session): Promise<TableChecksums>
  /** Begins a consistent read. Afterwards the session belongs to it. @param stateTable quoted name of the table of states */
  readTable(session: Session, key: StateKey, stateTable: string): Promise<TableRead>
}
