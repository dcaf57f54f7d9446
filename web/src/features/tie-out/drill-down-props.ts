import type { TieOut } from '@tributary/contract/tie-out'
import type { ConnectorParams } from '../../api/queries/runs.ts'

/** What every depth of the view is told. */
export interface Depth {
  readonly place: ConnectorParams
  readonly tieOut: TieOut
  /** Where the same view leads at another depth. */
  readonly addressOf: (depth: { readonly period?: string; readonly account?: string }) => string
}
