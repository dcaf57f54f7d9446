/** Saving a connector: its settings, then what belongs to it and is kept apart from them. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { ConnectorInput, ConnectorPatch } from '@tributary/contract/connector-input'
import type { Connector } from '@tributary/contract/connectors'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { connectorList, ownTypes } from '../../../api/queries/common-queries.ts'
import { useMay, useWorkspace } from '../../../api/session/workspace.ts'
import { useMutation } from '../../../api/use-mutation.ts'
import type { Extras } from '../additional-settings/additional-settings.ts'
import { alertsOf, licencesOf, sharedWith } from '../api.ts'

export interface Entered {
  readonly name: string
  readonly schedule: string
  readonly schemaPolicy: NonNullable<ConnectorInput['schemaPolicy']>
  readonly properties: ConnectorInput['properties']
}

export interface Saved {
  readonly connector: Connector
  /** The first run of a connector that was added or connected again; null where none was started. */
  readonly runId: string | null
  /** Of a webhook whose address is new. It is told this once. */
  readonly webhookSecret: string | null
}

interface Saving {
  readonly type: ConnectorType
  readonly connector: Connector | null
  readonly onSaved: (saved: Saved) => void
}

export function useSaveConnector({ type, connector, onSaved }: Saving) {
  const clientId = useWorkspace().organisation.Id
  const mayEditSchedule = useMay()('editSchedule')
  const queryClient = useQueryClient()

  const save = useMutation({
    mutationFn: async ({ schedule, extras, ...entered }: Entered & { extras: Extras }): Promise<Saved> => {
      const body = mayEditSchedule ? { ...entered, schedule: schedule === '' ? null : schedule } : entered
      const saved =
        connector === null
          ? await create(clientId, { type: type.Type, ...body })
          : await change(clientId, connector, body)
      const webhookSecret = await saveExtras(clientId, saved.Id, extras)
      const isBeginning = connector?.Status !== 'CONNECTED'
      return { connector: saved, webhookSecret, runId: isBeginning ? await startFirstRun(clientId, saved.Id) : null }
    },
    onSuccess: (saved) => onSaved(saved),
    // Of several steps the first may have been taken although a later one failed.
    onSettled: () =>
      Promise.all(
        [
          connectorList(clientId),
          ownTypes(clientId),
          ...(connector === null ? [] : extraLists(clientId, connector.Id)),
        ].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
      ),
  })
  return save
}

/** A disconnected one is thereby connected again. */
function change(clientId: string, { Id, Status }: Connector, entered: ConnectorPatch): Promise<Connector> {
  const body: ConnectorPatch = Status === 'CONNECTED' ? entered : { ...entered, status: 'CONNECTED' }
  return call('PATCH /tributary/clients/:clientId/connectors/:connectorId', {
    params: { clientId, connectorId: Id },
    body,
  })
}

function create(clientId: string, body: ConnectorInput): Promise<Connector> {
  return call('POST /tributary/clients/:clientId/connectors', { params: { clientId }, body })
}

async function saveExtras(
  clientId: string,
  connectorId: string,
  { licences, alerts, organisations }: Extras,
): Promise<string | null> {
  const params = { clientId, connectorId }
  if (licences !== undefined)
    await call('POST /tributary/clients/:clientId/connectors/:connectorId/licences', {
      params,
      body: { licences: [...licences] },
    })
  if (organisations !== undefined)
    await call('POST /tributary/clients/connectors/:connectorId/assign-organisations', {
      params: { connectorId },
      body: { organisations: [...organisations] },
    })
  if (alerts === undefined) return null
  const { Webhook } = await call('PUT /tributary/clients/:clientId/connectors/:connectorId/alerts', {
    params,
    body: {
      users: alerts.users === null ? null : [...alerts.users],
      webhook: alerts.url === '' ? null : { url: alerts.url },
    },
  })
  return Webhook?.Secret ?? null
}

function extraLists(clientId: string, connectorId: string) {
  return [licencesOf(connectorId), alertsOf(clientId, connectorId), sharedWith(connectorId)]
}

/** The connector is saved even where its first run cannot begin; its card then says why, or offers Refresh. */
async function startFirstRun(clientId: string, connectorId: string): Promise<string | null> {
  const params = { clientId, connectorId }
  const started = await call('POST /tributary/clients/:clientId/connectors/:connectorId/process', {
    params,
    body: {},
  }).catch(() => null)
  return started?.RunId ?? null
}
