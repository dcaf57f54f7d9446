/** Disconnecting one or all, and deleting one: each says what stops, and is confirmed by typing. */
import type { Connector } from '@tributary/contract/connectors'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/call-error.ts'
import { connectorList, ownTypes } from '../../api/lists.ts'
import { useWorkspace } from '../../api/workspace.ts'
import { tell } from '../../ui/announce.tsx'
import { TypeToConfirm } from '../../ui/type-to-confirm.tsx'
import css from './connectors.module.css'

interface EndDialogProps {
  how: 'disconnect' | 'delete'
  connectors: readonly Connector[]
  /** The name, or how many they are. */
  answer: string
  onClose: () => void
}

const namesMax = 8

export function EndDialog({ how, connectors, answer, onClose }: EndDialogProps) {
  const end = useEnd(how, onClose)
  const [first] = connectors
  const isOne = connectors.length === 1 && answer === first?.Name
  const verb = how === 'delete' ? 'Delete' : 'Disconnect'
  return (
    <TypeToConfirm
      title={isOne ? `${verb} ${first.Name}?` : 'Disconnect all?'}
      answer={answer}
      prompt={isOne ? `Type the name to confirm: ${answer}` : `Type the number of connectors to confirm: ${answer}`}
      confirm={isOne ? verb : 'Disconnect all'}
      isBusy={end.isPending}
      error={end.error === null ? null : messageOf(end.error)}
      onDismissError={end.reset}
      onConfirm={() => end.mutate(connectors)}
      onClose={onClose}
    >
      <p>
        {how === 'delete'
          ? 'Its schedule stops and its credentials are erased. The rows it has loaded and its history stay.'
          : 'Schedules stop and credentials are erased. Loaded rows and history stay; connecting again asks for the credentials.'}
      </p>
      {isOne ? null : (
        <ul className={css.names}>
          {connectors.slice(0, namesMax).map(({ Id, Name }) => (
            <li key={Id}>{Name}</li>
          ))}
          {connectors.length > namesMax ? <li>{`and ${connectors.length - namesMax} more`}</li> : null}
        </ul>
      )}
    </TypeToConfirm>
  )
}

function useEnd(how: 'disconnect' | 'delete', onEnded: () => void) {
  const clientId = useWorkspace().organisation.Id
  const queryClient = useQueryClient()
  const listKey = connectorList(clientId).queryKey
  const status = how === 'delete' ? 'DELETED' : 'DISCONNECTED'

  async function endOne(connector: Connector) {
    const { Id: connectorId, Key: connectorKey, Client } = connector
    if (how === 'delete') await call('DELETE /tributary/clients/:clientId/connectors/:connectorId', { params: { clientId, connectorId } })
    else await call('DELETE /clients/:clientKey/:connectorKey', { params: { clientKey: Client.Key, connectorKey } })
    // Shown as ended at once; a deleted one is not in the next list any more.
    queryClient.setQueryData(listKey, (list) => list?.map((each) => (each.Id === connectorId ? { ...each, Status: status } : each)))
  }
  return useMutation({
    mutationFn: async (connectors: readonly Connector[]) => {
      for (const connector of connectors) await endOne(connector)
      return connectors
    },
    onSuccess: (connectors) => {
      const what = connectors.length === 1 ? (connectors[0]?.Name ?? '') : `${connectors.length} connectors`
      tell(`${what} ${connectors.length === 1 ? 'is' : 'are'} ${status.toLowerCase()}.`)
      onEnded()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownTypes(clientId).queryKey }),
  })
}
