import type { Alerts } from '@tributary/contract/alerts'
import type { Connector } from '@tributary/contract/connectors'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { memberList } from '../../../api/queries/common-queries.ts'
import { personItem } from '../../../domain/users/user-names.ts'
import { useWorkspace } from '../../../api/session/workspace.ts'
import { useMutation } from '../../../api/use-mutation.ts'
import { Note } from '../../../ui/feedback/callout.tsx'
import { RadioChoice } from '../../../ui/forms/radio-group.tsx'
import { alertsOf } from '../api.ts'
import type { Extras, ExtrasProps } from './additional-settings.ts'
import { Fold } from '../../../ui/layout/collapsible-section.tsx'
import { Loading } from '../../../domain/requests/query-placeholder.tsx'
import { PickList } from '../checkbox-list.tsx'

type Chosen = NonNullable<Extras['alerts']>

const recipients = [
  { value: 'admins', label: 'The administrators of the organisation' },
  { value: 'some', label: 'Only those chosen' },
] as const

/** Who is told when the connector needs somebody: by mail, and by a signed message to another program. */
export function AlertsFold({ connector, extras, onChange }: ExtrasProps) {
  const clientId = useWorkspace().organisation.Id
  const asked = useQuery(alertsOf(clientId, connector.Id))
  const { data } = asked
  const chosen = extras.alerts ?? (data === undefined ? null : storedChoice(data))
  const change = (alerts: Chosen) => onChange({ ...extras, alerts })

  return (
    <Fold title="Alerts" summary={chosen === null ? 'Who is told when it needs somebody' : inWords(chosen)}>
      {data === undefined || chosen === null ? (
        <Loading of={asked} />
      ) : (
        <>
          <p className="small muted">
            One mail when a run fails, stalls or waits for a person, and one when all is well again.
          </p>
          <Recipients chosen={chosen} onChange={change} />
          <TextInput
            type="url"
            label="Webhook"
            description="An https address that is sent a signed message each time. Leave it empty for none."
            placeholder="https://hooks.example.com/tributary"
            autoComplete="off"
            spellCheck={false}
            value={chosen.url}
            onChange={(event) => change({ ...chosen, url: event.currentTarget.value.trim() })}
          />
          {chosen.url === '' ? null : <WebhookTest connector={connector} isSaved={chosen.url === data.Webhook?.Url} />}
        </>
      )}
    </Fold>
  )
}

function Recipients({ chosen, onChange }: { chosen: Chosen; onChange: (chosen: Chosen) => void }) {
  const { data = [] } = useQuery(memberList(useWorkspace().organisation.Id))
  return (
    <>
      <RadioChoice
        label="Mails go to"
        choices={recipients}
        value={chosen.users === null ? 'admins' : 'some'}
        onChange={(value) => onChange({ ...chosen, users: value === 'admins' ? null : [] })}
      />
      {chosen.users === null ? null : (
        <PickList
          what="recipients"
          items={data.map(personItem)}
          picked={new Set(chosen.users)}
          onPick={(picked) => onChange({ ...chosen, users: [...picked] })}
        />
      )}
    </>
  )
}

/** The server sends it to what is saved, never to what is merely typed. */
function WebhookTest({ connector, isSaved }: { connector: Connector; isSaved: boolean }) {
  const clientId = useWorkspace().organisation.Id
  const send = useMutation({
    mutationFn: () =>
      call('POST /tributary/clients/:clientId/connectors/:connectorId/alerts/test', {
        params: { clientId, connectorId: connector.Id },
      }),
  })
  if (!isSaved)
    return (
      <p className="small subtle">
        Saving tells the secret that its messages are signed with. Then a test can be sent.
      </p>
    )
  return (
    <>
      <div>
        <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
          Send a test message
        </Button>
      </div>
      <div aria-live="polite">
        {send.data === undefined || send.isPending ? null : (
          <Note tone={send.data.Delivered ? 'ok' : 'error'}>{send.data.Notice}</Note>
        )}
        {send.error === null ? null : <Note tone="error">{messageOf(send.error)}</Note>}
      </div>
    </>
  )
}

function storedChoice({ Users, Webhook }: Alerts): Chosen {
  return { users: Users, url: Webhook?.Url ?? '' }
}

function inWords({ users, url }: Chosen): string {
  const people = users === null ? 'Administrators' : (['Nobody', '1 person'][users.length] ?? `${users.length} people`)
  return url === '' ? `${people} by mail` : `${people} by mail, and a webhook`
}
