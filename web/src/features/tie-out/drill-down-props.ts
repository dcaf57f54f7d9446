import type { TieOut } from '@tributary/contract/tie-out'
import type { ConnectorParams } from '../../api/queries/runs.ts'

/** Props of each level of the drill-down. */
export interface DrillDownProps {
  readonly ids: ConnectorParams
  readonly tieOut: TieOut
  /** URL of the same view at another level. */
  readonly urlAt: (depth: { readonly period?: string; readonly account?: string; readonly company?: string }) => string
}
