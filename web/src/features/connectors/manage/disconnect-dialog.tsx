/** Disconnecting one or all of a type, and deleting one: each says what stops, and is confirmed by typing. */
import type { Connector } from '@tributary/contract/connectors'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { useType } from '../../../domain/connectors/use-connector-type.ts'
import { connectorList, ownTypes } from '../../../api/queries/common-queries.ts'
import { useWorkspace } from '../../../api/session/workspace.ts'
import { useMutation } from '../../../api/use-mutation.ts'
import { tell } from '../../../ui/feedback/toasts.tsx'
import { TypeToConfirm } from '../../../ui/dialogs/type-to-confirm-dialog.tsx'
import css from '../connectors.module.css'
import { scheduleWords } from '../schedule/schedule.ts'

const namesMax = 8
const disconnecting =
  'Schedules stop and credentials are erased. Loaded rows and history stay; connecting again asks for the credentials.'
const signingOff =
  'Schedules stop and the authorisation is given back. Loaded rows and history stay; connecting again is signing in again.'
const deleting = 'Its schedule stops and its credentials are erased. The rows it has loaded and its history stay.'

type How = 'disconnect' | 'delete'

export function EndDialog({ how, connector, onClose }: { how: How; connector: Connector; onClose: () => void }) {
  const { Id: connectorId, Key: connectorKey, Client, Name } = connector
  const clientId = useWorkspace().organisation.Id
  const verb = how === 'delete' ? 'Delete' : 'Disconnect'
  async function end() {
    if (how === 'delete')
      await call('DELETE /tributary/clients/:clientId/connectors/:connectorId', { params: { clientId, connectorId } })
    else await call('DELETE /clients/:clientKey/:connectorKey', { params: { clientKey: Client.Key, connectorKey } })
    return [connectorId]
  }
  return (
    <Ending
      title={`${verb} ${Name}?`}
      answer={Name}
      confirm={verb}
      prompt={`Type the name to confirm: ${Name}`}
      how={how}
      end={end}
      onClose={onClose}
    >
      {how === 'delete' ? <p>{deleting}</p> : <Disconnecting />}
    </Ending>
  )
}

/** All of a type, or none if one of them cannot be. `connectors` are those that will stop. */
export function EndAllDialog({
  type,
  connectors,
  onClose,
}: {
  type: string
  connectors: readonly Connector[]
  onClose: () => void
}) {
  const clientId = useWorkspace().organisation.Id
  const answer = String(connectors.length)
  async function end() {
    const ended = await call('DELETE /tributary/clients/:clientId/connectors', {
      params: { clientId },
      query: { type },
    })
    return ended.map(({ Id }) => Id)
  }
  return (
    <Ending
      title="Disconnect all?"
      answer={answer}
      confirm="Disconnect all"
      prompt={`Type the number of connectors to confirm: ${answer}`}
      how="disconnect"
      end={end}
      onClose={onClose}
    >
      <Disconnecting />
      <ul className={css.names} aria-label="What will stop">
        {connectors.slice(0, namesMax).map(({ Id, Name, Schedule }) => (
          <li key={Id}>
            {Name} <span className="subtle">{scheduleWords(Schedule)}</span>
          </li>
        ))}
        {connectors.length > namesMax ? <li>{`and ${connectors.length - namesMax} more`}</li> : null}
      </ul>
    </Ending>
  )
}

function Disconnecting() {
  return <p>{useType().type?.RequiresAuthorisation === true ? signingOff : disconnecting}</p>
}

interface EndingProps {
  readonly title: string
  readonly answer: string
  readonly confirm: string
  readonly prompt: string
  readonly how: How
  /** Answers the ids of those that were ended. */
  readonly end: () => Promise<readonly string[]>
  readonly onClose: () => void
  readonly children: ReactNode
}

function Ending({ title, answer, confirm, prompt, how, end, onClose, children }: EndingProps) {
  const ending = useEnding(how, end, onClose)
  return (
    <TypeToConfirm
      title={title}
      answer={answer}
      prompt={prompt}
      confirm={confirm}
      isBusy={ending.isPending}
      error={ending.error === null ? null : messageOf(ending.error)}
      onDismissError={ending.reset}
      onConfirm={() => ending.mutate()}
      onClose={onClose}
    >
      {children}
    </TypeToConfirm>
  )
}

function useEnding(how: How, end: () => Promise<readonly string[]>, onEnded: () => void) {
  const clientId = useWorkspace().organisation.Id
  const queryClient = useQueryClient()
  const listKey = connectorList(clientId).queryKey
  const status = how === 'delete' ? 'DELETED' : 'DISCONNECTED'
  return useMutation({
    mutationFn: async () => new Set(await end()),
    onSuccess: (ended) => {
      const all = queryClient.getQueryData(listKey) ?? []
      // Shown as ended at once; the next list says the same.
      queryClient.setQueryData(
        listKey,
        all.map((each) => (ended.has(each.Id) ? { ...each, Status: status } : each)),
      )
      const name = all.find(({ Id }) => ended.has(Id))?.Name ?? 'The connector'
      tell(
        ended.size === 1
          ? `${name} is ${status.toLowerCase()}.`
          : `${ended.size} connectors are ${status.toLowerCase()}.`,
      )
      onEnded()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownTypes(clientId).queryKey }),
  })
}
