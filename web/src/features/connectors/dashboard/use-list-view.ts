import { useAddress, useChangeAddress } from '../../../ui/hooks/search-params.ts'
import { type Layout, layoutOf, type Order, orders, type State, states } from './connector-filters.ts'

/** How the dashboard's list is shown, as the address has it; what is usual is left out of the address. */
export function useListView(count: number) {
  const params = useAddress()
  const changeAddress = useChangeAddress()
  const set = (name: string, value: string | null) => changeAddress({ [name]: value }, { replace: true })
  return {
    state: known(states, params.get('status')),
    order: known(orders, params.get('sort')) ?? ('name' as const),
    layout: layoutOf(params.get('layout'), count),
    showState: (state: State | null) => set('status', state),
    sortBy: (order: Order) => set('sort', order === 'name' ? null : order),
    layOut: (layout: Layout) => set('layout', layout === layoutOf(null, count) ? null : layout),
  }
}

function known<Names extends object>(names: Names, value: string | null): keyof Names | null {
  return value !== null && Object.hasOwn(names, value) ? (value as keyof Names) : null
}
