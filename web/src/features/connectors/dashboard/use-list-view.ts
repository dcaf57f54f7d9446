import type { ListLayout } from '../../../ui/display/layout-switch.tsx'
import { useUrlParams, useUpdateUrlParams } from '../../../ui/hooks/search-params.ts'
import {
  effectiveLayout,
  type ConnectorOrder,
  orderLabels,
  type ConnectorFilterState,
  stateLabels,
} from './connector-filters.ts'

/** View settings of the dashboard's list, kept in the URL; default values are omitted. */
export function useListView(count: number) {
  const params = useUrlParams()
  const changeAddress = useUpdateUrlParams()
  const setParam = (name: string, value: string | null) => changeAddress({ [name]: value }, { replace: true })
  return {
    state: keyOrNull(stateLabels, params.get('status')),
    order: keyOrNull(orderLabels, params.get('sort')) ?? ('name' as const),
    layout: effectiveLayout(params.get('layout'), count),
    showState: (state: ConnectorFilterState | null) => setParam('status', state),
    sortBy: (order: ConnectorOrder) => setParam('sort', order === 'name' ? null : order),
    layOut: (layout: ListLayout) => setParam('layout', layout === effectiveLayout(null, count) ? null : layout),
  }
}

function keyOrNull<Names extends object>(names: Names, value: string | null): keyof Names | null {
  return value !== null && Object.hasOwn(names, value) ? (value as keyof Names) : null
}
