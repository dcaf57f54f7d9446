/** What verification needs of a target, in addition to what a run does. */
import type { Stream } from './source.ts'
import type { TargetTableCopy } from './verified-table.ts'

export interface VerifiableTarget {
  /**
   * Opens the stream's tables as they are, without preparing them, the main table first. Empty if no run has created them. Columns that the
   * tables do not have as the source describes them now are left out. Requires `begin`.
   */
  verifiedTables(stream: Stream): Promise<readonly TargetTableCopy[]>
}
