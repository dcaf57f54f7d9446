/** Keeps the filter of the audit log in the URL, so that a view can be shared as a link. */
import type { AuditFilter } from '@tributary/contract/audit-log'
import { useUrlParams, useUpdateUrlParams, useUrlPage } from '../../ui/hooks/search-params.ts'
import { useSearchTerm } from '../../ui/forms/search-box.tsx'

export type AuditLogQuery = Partial<Record<'orgId' | 'search' | 'from' | 'to' | 'ofProvider', string>> &
  Pick<AuditFilter, 'outcome'>

const dayMs = 86_400_000

export function useAuditLogFilter(orgId: string): {
  filter: AuditLogQuery
  page: number
  goTo: (page: number) => void
} {
  const params = useUrlParams()
  const search = useSearchTerm()
  const outcome = params.get('outcome')
  const from = startOfLocalDay(params.get('from'))
  const to = startOfLocalDay(params.get('to'))
  const filter: AuditLogQuery = {
    orgId,
    ...(search !== '' && { search }),
    ...((outcome === 'success' || outcome === 'refused' || outcome === 'failure') && { outcome }),
    ...(from !== null && { from: new Date(from).toISOString() }),
    // The form's last day is inclusive, the API's end is exclusive.
    ...(to !== null && { to: new Date(to + dayMs).toISOString() }),
    ...(params.get('ofProvider') === 'true' && { ofProvider: 'true' }),
  }
  return {
    filter,
    ...useUrlPage(),
  }
}

/** Sets one field of the filter and returns to page 1. */
export function useSetAuditLogFilter(): (name: string, value: string) => void {
  const changeAddress = useUpdateUrlParams()
  return (name, value) => changeAddress({ page: null, [name]: value === '' ? null : value }, { replace: true })
}

/** Midnight of a date (`2026-11-24`) in the browser's time zone, in milliseconds; null if the text is not a date. */
function startOfLocalDay(text: string | null): number | null {
  const at = text === null ? Number.NaN : new Date(`${text}T00:00`).getTime()
  return Number.isNaN(at) ? null : at
}
