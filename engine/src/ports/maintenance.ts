/** Maintenance of targets whose tables are files. */

/** What the maintenance of a table has done. */
export interface MaintainedTable {
  readonly table: string
  /** Small files that were joined. */
  readonly joinedFiles: number
  /** Small files that remain because joining them would take too long. */
  readonly smallFilesLeft: number
  readonly removedSnapshots: number
  /** Files that no snapshot refers to. */
  readonly removedFiles: number
}

export interface MaintainedTarget {
  /** Joins small files and removes what is not needed any more, table by table. Absent: the database does it itself. Requires `begin`. */
  maintainTables?(): AsyncIterable<MaintainedTable>
}
