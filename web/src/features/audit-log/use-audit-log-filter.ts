/** The address holds what the audit log is asked for, so that a view can be passed on. */
import type { AuditFilter } from '@tributary/contract/audit-log'
import { useAddress, useChangeAddress } from '../../ui/hooks/search-params.ts'
import { useSearchTerm } from '../../ui/forms/search-box.tsx'

export type AuditAsk = Partial<Record<'orgId' | 'search' | 'from' | 'to' | 'ofProvider', string>> &
  Pick<AuditFilter, 'outcome'>

const day = 86_400_000

export function useAuditFilter(orgId: string): { ask: AuditAsk; page: number; goTo: (page: number) => void } {
  const params = useAddress()
  const changeAddress = useChangeAddress()
  const search = useSearchTerm()
  const outcome = params.get('outcome')
  const from = startOfDay(params.get('from'))
  const to = startOfDay(params.get('to'))
  const ask: AuditAsk = {
    orgId,
    ...(search !== '' && { search }),
    ...((outcome === 'success' || outcome === 'refused' || outcome === 'failure') && { outcome }),
    ...(from !== null && { from: new Date(from).toISOString() }),
    // The last day is meant to be included, and the call leaves out its end.
    ...(to !== null && { to: new Date(to + day).toISOString() }),
    ...(params.get('ofProvider') === 'true' && { ofProvider: 'true' }),
  }
  return {
    ask,
    page: Math.max(1, Number(params.get('page') ?? 1) || 1),
    goTo: (page) => changeAddress({ page: page === 1 ? null : String(page) }),
  }
}

/** Sets one part of the filter, and goes back to the first page. */
export function useSetFilter(): (name: string, value: string) => void {
  const changeAddress = useChangeAddress()
  return (name, value) => changeAddress({ page: null, [name]: value === '' ? null : value }, { replace: true })
}

/** Midnight where the reader is, as they see the days. */
function startOfDay(text: string | null): number | null {
  const at = text === null ? Number.NaN : new Date(`${text}T00:00`).getTime()
  return Number.isNaN(at) ? null : at
}
