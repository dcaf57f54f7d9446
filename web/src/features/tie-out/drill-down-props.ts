import type { TieOut } from '@tributary/contract/tie-out'
import type { ConnectorPlace } from '../../api/queries/runs.ts'

/** Props of each level of the drill-down. */
export interface DrillDownProps {
  readonly ids: ConnectorPlace
  readonly tieOut: TieOut
  /** URL of the same view at another level. */
  readonly urlAt: (depth: { readonly period?: string; readonly account?: string }) => string
}
