/** The table that the address of the page names. */
import { paths } from '../../paths.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import type { TableKey } from './dictionary-queries.ts'

export function useTableInUrl(): TableKey | null {
  const params = useUrlParams()
  const [connectorId, table] = [params.get('connector'), params.get('table')]
  return connectorId === null || table === null ? null : { connectorId, table }
}

export function tableAddress({ connectorId, table }: TableKey): string {
  return `${paths.dictionary}?${new URLSearchParams({ connector: connectorId, table })}`
}
