/** Opens a room for a person, or changes its end and what it covers. */
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AuditorRoom } from '@tributary/contract/auditor-rooms'
import { auditorRoomLimits } from '@tributary/contract/limits'
import { now } from '@tributary/client/server-clock'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { connectorList } from '../../api/queries/common-queries.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { CheckboxList } from '../../domain/link-editor/checkbox-list.tsx'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { SelectField } from '../../ui/forms/choice-fields.tsx'
import { FieldGroup } from '../../ui/forms/field-group.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { validateEmailAddress } from '../../ui/forms/validate-email-address.ts'
import { formatDay } from '../../ui/formats.ts'
import { currentMarks, roomList } from './room-queries.ts'

const dayMs = 86_400_000

interface RoomDialogProps {
  /** Null: a new one. */
  readonly room: AuditorRoom | null
  readonly onClose: () => void
}

export function RoomDialog({ room, onClose }: RoomDialogProps) {
  const clientId = useOrganisationId()
  const covered = useCovered(room)
  const form = useForm(initialValues(room), room === null ? { email: { check: validateEmailAddress } } : {})
  const save = useSaveRoom(clientId, room, onClose)
  const { picked, marks, months } = covered
  const isEmpty = picked.size + marks.size === 0
  const endsAt = endOf(form.values['days'], room)
  const extent = { endsAt, connectorIds: [...picked], markIds: [...marks], ...months }
  const [firstName = '', lastName = '', emailAddress = ''] = personFields.map((name) => String(form.values[name] ?? ''))
  const person = { firstName, lastName, emailAddress }
  return (
    <MutationDialog
      title={room === null ? 'Open an auditor room' : `Room of ${room.FirstName} ${room.LastName}`}
      mutation={save}
      isDirty={form.isDirty}
      onClose={onClose}
      onSubmit={() => form.validate() && !isEmpty && save.mutate({ person, extent })}
      submitLabel={room === null ? 'Invite' : 'Save'}
      isSubmitDisabled={isEmpty}
    >
      {room === null ? (
        <>
          <TextField field={form.bind('first')} label="First name" isRequired hasFocus />
          <TextField field={form.bind('last')} label="Last name" isRequired />
          <TextField field={form.bind('email')} label="Email address" type="email" inputMode="email" isRequired />
        </>
      ) : null}
      <SelectField field={form.bind('days')} label="Open until" choices={endChoices(room)} />
      <CoveredFields covered={covered} />
    </MutationDialog>
  )
}

type Covered = ReturnType<typeof useCovered>

/** The connectors, months and single marks that the room covers. */
function useCovered(room: AuditorRoom | null) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set(room?.Connectors.map(({ Id }) => Id)))
  const [marks, setMarks] = useState<ReadonlySet<string>>(new Set(room?.Marks.map(({ Id }) => Id)))
  const [months, setMonths] = useState({ periodFrom: room?.PeriodFrom ?? null, periodTo: room?.PeriodTo ?? null })
  return { kept: room?.Marks ?? [], picked, setPicked, marks, setMarks, months, setMonths }
}

function CoveredFields({ covered }: { covered: Covered }) {
  const { picked, setPicked, marks, setMarks, months, setMonths } = covered
  return (
    <>
      <ConnectorChoice picked={picked} onPick={setPicked} />
      <MonthSelect
        label="First month"
        none="No first month"
        value={months.periodFrom}
        onChange={(periodFrom) => setMonths({ ...months, periodFrom })}
      />
      <MonthSelect
        label="Last month"
        none="No last month"
        value={months.periodTo}
        onChange={(periodTo) => setMonths({ ...months, periodTo })}
        description="Months limit tie-outs, certificates, closed-period changes and marks of these connectors. Tables are read whole."
      />
      <MarkChoice covered={covered.kept} picked={marks} onPick={setMarks} />
    </>
  )
}

interface ConnectorChoiceProps {
  readonly picked: ReadonlySet<string>
  readonly onPick: (picked: ReadonlySet<string>) => void
}

function ConnectorChoice({ picked, onPick }: ConnectorChoiceProps) {
  const connectors = useQuery(connectorList(useOrganisationId()))
  return (
    <FieldGroup legend="Connectors that they read">
      <QueryResult query={connectors}>
        {(all) => (
          <CheckboxList
            what="connectors"
            items={all.map(({ Id, Name }) => ({ id: Id, name: Name }))}
            picked={picked}
            onPick={onPick}
          />
        )}
      </QueryResult>
    </FieldGroup>
  )
}

interface MarkChoiceProps {
  readonly covered: AuditorRoom['Marks']
  readonly picked: ReadonlySet<string>
  readonly onPick: (picked: ReadonlySet<string>) => void
}

/** Nothing if nothing is marked as reported. Of superseded marks only those that the room covers already. */
function MarkChoice({ covered, picked, onPick }: MarkChoiceProps) {
  const marks = useQuery(currentMarks(useOrganisationId()))
  const current = (marks.data?.Sources ?? []).flatMap(({ Name, Marks }) =>
    Marks.map((mark) => ({ id: mark.Id, name: mark.Name, detail: Name })),
  )
  const kept = covered.map(({ Id, Name, Connector }) => ({ id: Id, name: Name, detail: Connector.Name }))
  const items = [...new Map([...kept, ...current].map((item) => [item.id, item])).values()]
  if (items.length === 0) return null
  return (
    <FieldGroup legend="Single marks that they read">
      <p className="small muted">
        The views, certificates and events of a mark, and nothing else of its connector, whatever the months.
      </p>
      <CheckboxList what="marks" items={items} picked={picked} onPick={onPick} />
    </FieldGroup>
  )
}

const personFields = ['first', 'last', 'email'] as const

function initialValues(room: AuditorRoom | null): Readonly<Record<string, string>> {
  return room === null ? { first: '', last: '', email: '', days: '30' } : { days: 'kept' }
}

const dayChoices = [7, 14, 30, 60, auditorRoomLimits.daysMax]

function endChoices(room: AuditorRoom | null) {
  const kept =
    room === null ? [] : [{ value: 'kept', label: `${formatDay(room.EndsAtUtc.slice(0, 10), 'date')} (as now)` }]
  return [
    ...kept,
    ...dayChoices.map((days) => ({
      value: String(days),
      label: `${days} days from now, ${formatDay(new Date(now() + days * dayMs).toISOString().slice(0, 10), 'date')}`,
    })),
  ]
}

function endOf(days: unknown, room: AuditorRoom | null): string {
  if (room !== null && days === 'kept') return room.EndsAtUtc
  // A minute less, because the server counts the days from when it receives the call.
  return new Date(now() + Number(days) * dayMs - 60_000).toISOString()
}

const monthsBack = 60

interface MonthSelectProps {
  readonly label: string
  readonly none: string
  readonly value: string | null
  readonly onChange: (month: string | null) => void
  readonly description?: string
}

function MonthSelect({ label, none, value, onChange, description }: MonthSelectProps) {
  const today = new Date(now())
  const months = Array.from({ length: monthsBack }, (_, back) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1)).toISOString().slice(0, 10),
  )
  const all = value === null || months.includes(value) ? months : [value, ...months]
  return (
    <NativeSelect
      label={label}
      description={description}
      value={value ?? ''}
      data={[{ value: '', label: none }, ...all.map((month) => ({ value: month, label: formatDay(month, 'month') }))]}
      onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
    />
  )
}

interface SavedRoom {
  readonly person: { readonly firstName: string; readonly lastName: string; readonly emailAddress: string }
  readonly extent: {
    readonly endsAt: string
    readonly connectorIds: string[]
    readonly markIds: string[]
    readonly periodFrom: string | null
    readonly periodTo: string | null
  }
}

function useSaveRoom(clientId: string, room: AuditorRoom | null, onClose: () => void) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: ({ person, extent }: SavedRoom) =>
      room === null
        ? call('POST /tributary/clients/:clientId/auditor-rooms', {
            params: { clientId },
            body: { ...person, ...extent },
          })
        : call('PUT /tributary/clients/:clientId/auditor-rooms/:roomId', {
            params: { clientId, roomId: room.Id },
            body: extent,
          }),
    onSuccess: async () => {
      await invalidate(roomList(clientId))
      onClose()
    },
  })
}
