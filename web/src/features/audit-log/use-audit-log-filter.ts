/** Keeps the filter of the audit log in the URL, so that a view can be shared as a link. */
import type { CallRequest } from '@tributary/contract/calls'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useUrlParams, useUpdateUrlParams, useUrlPage } from '../../ui/hooks/search-params.ts'
import { currentTimeZone, startOfZonedDay } from '../../ui/formats.ts'
import { useSearchTerm } from '../../ui/forms/search-box.tsx'

export type AuditLogQuery = NonNullable<CallRequest<'GET /audit-events/export'>['query']>

const dayMs = 86_400_000
const outcomes = ['success', 'refused', 'failure'] as const

export function useAuditLogFilter() {
  const params = useUrlParams()
  const filter: AuditLogQuery = {
    orgId: useOrganisationId(),
    search: useSearchTerm() || undefined,
    actor: parseActor(params.get('actor')),
    objectType: params.get('about') ?? undefined,
    objectId: params.get('thing') ?? undefined,
    action: params.get('action') ?? undefined,
    outcome: outcomes.find((outcome) => outcome === params.get('outcome')),
    from: startOfOwnDay(params.get('from')),
    // The form's last day is inclusive, the API's end is exclusive.
    to: startOfOwnDay(params.get('to'), 1),
    ofProvider: params.get('ofProvider') === 'true' ? 'true' : undefined,
  }
  return {
    filter,
    ...useUrlPage(),
  }
}

/** Sets fields of the filter and returns to page 1. */
export function useSetAuditLogFilter(): (fields: Readonly<Record<string, string>>) => void {
  const changeAddress = useUpdateUrlParams()
  return (fields) => {
    const changes = Object.entries(fields).map(([name, value]) => [name, value === '' ? null : value])
    changeAddress({ page: null, ...Object.fromEntries(changes) }, { replace: true })
  }
}

/** The address may hold any text. The server would refuse one that is not an actor. */
function parseActor(text: string | null): AuditLogQuery['actor'] {
  if (text === 'system' || text === 'operator') return text
  return text !== null && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(text) ? text : undefined
}

/** Midnight of a date (`2026-11-24`) in the person's time zone, or days after it; undefined if the text is not a date. */
function startOfOwnDay(text: string | null, laterDays = 0): string | undefined {
  const at = Date.parse(`${text}T00:00Z`) + laterDays * dayMs
  return Number.isNaN(at) ? undefined : startOfZonedDay(new Date(at).toISOString().slice(0, 10), currentTimeZone())
}
