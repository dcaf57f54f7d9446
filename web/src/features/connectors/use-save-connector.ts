import type { ConnectorType } from '@tributary/contract/catalogue'
import type { Connector, ConnectorInput } from '@tributary/contract/connectors'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { connectorList, ownTypes } from '../../api/lists.ts'
import { useMay, useWorkspace } from '../../api/workspace.ts'

interface Entered {
  readonly name: string
  readonly schedule: string
  readonly properties: ConnectorInput['properties']
}

interface Saving {
  type: ConnectorType
  connector: Connector | null
  /** `runId` is the first run of a new connector, null where none was started. */
  onSaved: (connector: Connector, runId: string | null) => void
}

export function useSaveConnector({ type, connector, onSaved }: Saving) {
  const clientId = useWorkspace().organisation.Id
  const mayEditSchedule = useMay()('editSchedule')
  const queryClient = useQueryClient()

  const save = useMutation({
    mutationFn: async ({ schedule, ...entered }: Entered) => {
      const body = mayEditSchedule ? { ...entered, schedule: schedule === '' ? null : schedule } : entered
      if (connector === null) {
        const created = await call('POST /tributary/clients/:clientId/connectors', {
          params: { clientId },
          body: { type: type.Type, ...body },
        })
        return { saved: created, runId: await startFirstRun(clientId, created.Id) }
      }
      const params = { clientId, connectorId: connector.Id }
      return { saved: await call('PATCH /tributary/clients/:clientId/connectors/:connectorId', { params, body }), runId: null }
    },
    onSuccess: async ({ saved, runId }) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: connectorList(clientId).queryKey }),
        queryClient.invalidateQueries({ queryKey: ownTypes(clientId).queryKey }),
      ])
      onSaved(saved, runId)
    },
  })
  const check = useMutation({
    mutationFn: ({ properties }: Entered) =>
      call('POST /tributary/clients/:clientId/connectors/check', {
        params: { clientId },
        body: { type: type.Type, properties, ...(connector === null ? {} : { connectorId: connector.Id }) },
      }),
  })
  function dismiss() {
    if (save.error !== null) save.reset()
    if (check.error !== null) check.reset()
  }
  return { save, check, dismiss }
}

/** The connector is saved even where its first run cannot begin; its card then says why, or offers Refresh. */
async function startFirstRun(clientId: string, connectorId: string): Promise<string | null> {
  const params = { clientId, connectorId }
  const started = await call('POST /tributary/clients/:clientId/connectors/:connectorId/process', { params, body: {} }).catch(() => null)
  return started?.RunId ?? null
}
