/** Queries and changes of closed periods. */
import { pollMs } from '@tributary/contract/limits'
import { keepPreviousData } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'
import { call } from '../../api/call.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'

const path = '/tributary/clients/:clientId/connectors/:connectorId/closed-periods' as const

const keyOf = (what: string, { clientId, connectorId }: ConnectorParams) => [
  'closed-periods',
  what,
  clientId,
  connectorId,
]

export const closedPeriodState = (params: ConnectorParams) => ({
  ...callQuery(keyOf('state', params), `GET ${path}`, { params }),
  refetchInterval: pollMs,
})

export interface ChangeFilter {
  readonly period?: string
  readonly state?: 'open' | 'acknowledged'
  readonly document?: string
}

export const closedPeriodChanges = (params: ConnectorParams, query: ChangeFilter = {}) => ({
  ...callQuery([...keyOf('changes', params), query], `GET ${path}/changes`, { params, query }),
  placeholderData: keepPreviousData,
})

/** All lists of changes of the connector, whatever their filter. */
const everyList = (params: ConnectorParams) => ({ queryKey: keyOf('changes', params) })

export interface ClosedPeriodSettings {
  readonly isOn: boolean
  readonly administratorDate: string | null
  readonly table: {
    readonly stream: string
    readonly dateColumn: string
    readonly numberColumn: string | null
    readonly accountColumn: string | null
    readonly amountColumn: string | null
  } | null
}

export function useSaveClosedPeriods(params: ConnectorParams) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (body: ClosedPeriodSettings) => call(`PUT ${path}`, { params, body }),
    onSuccess: () => announceToScreenReader('Closed periods are saved.'),
    onSettled: () => invalidate(closedPeriodState(params)),
  })
}

export function useAcknowledge(params: ConnectorParams) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (body: { changes: string[]; reason: string }) =>
      call(`POST ${path}/acknowledgements`, { params, body }),
    onSuccess: ({ Acknowledged }) =>
      announceToScreenReader(
        Acknowledged === 1 ? 'One change is acknowledged.' : `${Acknowledged} changes are acknowledged.`,
      ),
    onSettled: () => invalidate(closedPeriodState(params), everyList(params)),
  })
}

const marksPath = '/tributary/clients/:clientId/connectors/:connectorId/report-marks' as const

export const reportMarkList = (params: ConnectorParams) =>
  callQuery(keyOf('marks', params), `GET ${marksPath}`, { params })

export function useMarkReported(params: ConnectorParams) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (body: { name: string; periodEnd: string }) => call(`POST ${marksPath}`, { params, body }),
    onSuccess: ({ Name }) => announceToScreenReader(`${Name} is marked as reported.`),
    onSettled: () => invalidate(reportMarkList(params), closedPeriodState(params)),
  })
}

export function useSupersede(params: ConnectorParams) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: ({ markId, reason }: { markId: string; reason: string }) =>
      call(`POST ${marksPath}/:markId/supersede`, { params: { ...params, markId }, body: { reason } }),
    onSuccess: ({ Name }) => announceToScreenReader(`${Name} is superseded.`),
    onSettled: () => invalidate(reportMarkList(params), closedPeriodState(params)),
  })
}
