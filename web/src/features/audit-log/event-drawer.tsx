/** The record of an event: everything that the audit log holds about it. */
import type { AuditLogEvent } from '@tributary/contract/audit-log'
import { Button } from '@mantine/core'
import { useWorkspace } from '../../api/session/workspace.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import { type DescriptionItem, DescriptionList } from '../../ui/layout/panel.tsx'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import css from './audit-log.module.css'
import { type ChangedField, listChangedFields, listOtherDetails } from './event-details.ts'
import { actorName, sentenceText } from '../../domain/audit-log/sentences/wording.ts'
import { useSetAuditLogFilter } from './use-audit-log-filter.ts'
import { formatMoment } from '../../ui/formats.ts'

export function EventDrawer({ event, onClose }: { event: AuditLogEvent; onClose: () => void }) {
  const setFilter = useSetAuditLogFilter()
  const { TimeZone } = useWorkspace().organisation
  const { ActorId, ObjectType, ObjectId, ObjectName } = event
  const changed = listChangedFields(event)
  const others = listOtherDetails(event)
  function show(filter: Readonly<Record<string, string>>) {
    setFilter(filter)
    onClose()
  }
  return (
    <Dialog
      kind="drawer"
      title={`${sentenceText(event, TimeZone)}.`}
      subtitle={formatMoment(event.AtUtc, 'exact')}
      onClose={onClose}
    >
      <div className={css.links}>
        {ActorId === null ? null : (
          <Button variant="default" size="compact-md" onClick={() => show({ actor: ActorId })}>
            {`Everything by ${actorName(event)}`}
          </Button>
        )}
        {ObjectType === null || ObjectId === null ? null : (
          <Button
            variant="default"
            size="compact-md"
            onClick={() => show({ about: ObjectType, thing: ObjectId })}
          >{`Everything about ${ObjectName ?? 'this thing'}`}</Button>
        )}
      </div>
      {changed.length === 0 ? null : (
        <DrawerSection title="What changed">
          <DataTable caption="What changed" columns={changeColumns} rows={changed} rowKey={({ name }) => name} />
        </DrawerSection>
      )}
      <DrawerSection title="Record">
        <DescriptionList items={recordItems(event)} />
      </DrawerSection>
      {others.length === 0 ? null : (
        <DrawerSection title="Details">
          <DescriptionList items={others} />
        </DrawerSection>
      )}
    </Dialog>
  )
}

const changeColumns: readonly TableColumn<ChangedField>[] = [
  { title: 'Field', cell: ({ name }) => name },
  { title: 'Before', cell: ({ before }) => before },
  { title: 'After', cell: ({ after }) => after },
]

function recordItems(event: AuditLogEvent): readonly DescriptionItem[] {
  const { Id, Action, ActorRole, ObjectType, ObjectId, Outcome, Address, Reference } = event
  const optional = [
    ['Role', ActorRole],
    ['Thing', ObjectType],
    ['Id of the thing', ObjectId],
    ['From', Address],
    ['Reference', Reference],
  ] as const
  return [
    { label: 'Who', value: actorName(event) },
    ...optional.flatMap(([label, value]) =>
      value === null ? [] : [{ label, value, isCode: label === 'Id of the thing' || label === 'Reference' }],
    ),
    { label: 'Action', value: Action, isCode: true },
    { label: 'Outcome', value: Outcome },
    { label: 'Number', value: String(Id) },
  ]
}
