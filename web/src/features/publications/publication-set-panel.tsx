/** One target database: what its published views show, since when they stay, and why. */
import { Button, Group } from '@mantine/core'
import type { PublicationConnector, PublicationSet } from '@tributary/contract/publications'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { formatMoment } from '../../ui/formats.ts'
import { EntryButton } from '../../ui/layout/entry-list.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { describePlace, describeRule, describeState } from './publication-words.ts'

export type SetDialogKind = 'change' | 'history' | 'switchOff'

interface PublicationSetPanelProps {
  readonly set: PublicationSet
  readonly onOpen: (kind: SetDialogKind) => void
}

export function PublicationSetPanel({ set, onOpen }: PublicationSetPanelProps) {
  const isOff = set.State === 'off' || set.State === 'ending'
  return (
    <Panel title={set.Target} aside={<SetActions set={set} isOff={isOff} onOpen={onOpen} />}>
      <StateOf set={set} />
      {isOff ? (
        <p className="muted">
          Published views show one completed run of each connector that you choose, and move forward together, only when
          your rule holds. They are no copy of the data: they read the history of the tables.
        </p>
      ) : (
        <>
          <p className="muted">{`${describeRule(set.Rule)} ${describePlace(set)}`}</p>
          <DataTable
            caption={`Connectors of the publication in ${set.Target}`}
            columns={columns}
            rows={set.Connectors.filter(({ IsInSet, MomentUtc }) => IsInSet || MomentUtc !== null)}
            rowKey={({ ConnectorId }) => ConnectorId}
          />
        </>
      )}
    </Panel>
  )
}

function SetActions({ set, isOff, onOpen }: PublicationSetPanelProps & { readonly isOff: boolean }) {
  if (isOff)
    return set.Connectors.length === 0 ? null : (
      <Button size="xs" aria-label={`Publish: ${set.Target}`} onClick={() => onOpen('change')}>
        Publish
      </Button>
    )
  return (
    <Group gap="xs">
      <EntryButton aria-label={`Publications: ${set.Target}`} onClick={() => onOpen('history')}>
        Publications
      </EntryButton>
      <EntryButton aria-label={`Change: ${set.Target}`} onClick={() => onOpen('change')}>
        Change
      </EntryButton>
      <EntryButton aria-label={`Switch off: ${set.Target}`} onClick={() => onOpen('switchOff')}>
        Switch off
      </EntryButton>
    </Group>
  )
}

function StateOf({ set }: { set: PublicationSet }) {
  const words = describeState(set)
  if (set.State === 'stays')
    return (
      <Callout tone="warn" title={words}>
        {set.Notice ?? 'The reasons are below. The views move forward by themselves once the rule holds.'}
      </Callout>
    )
  if (set.State === 'waiting')
    return (
      <Callout tone="info" title={words}>
        {set.Notice}
      </Callout>
    )
  return set.Notice === null ? (
    <p>{words}</p>
  ) : (
    <Callout tone="warn" title={words}>
      {set.Notice}
    </Callout>
  )
}

const columns: TableColumn<PublicationConnector>[] = [
  {
    title: 'Connector',
    cell: ({ Name, Type, ConnectorId }) => <Link to={paths.run(Type, ConnectorId, null)}>{Name}</Link>,
  },
  { title: 'Shows its rows as of', cell: ({ MomentUtc }) => momentOf(MomentUtc) },
  { title: 'Latest run', cell: reasonOf },
]

function momentOf(moment: string | null): string {
  return moment === null ? 'Not published yet' : formatMoment(moment, 'dateTime')
}

function reasonOf({ IsInSet, HeldBecause, HeldSinceUtc }: PublicationConnector): ReactNode {
  if (!IsInSet) return 'Leaves with the next publication.'
  if (HeldBecause === null || HeldSinceUtc === null) return 'Satisfies the rule'
  return `${HeldBecause} Since ${formatMoment(HeldSinceUtc, 'dateTime')}.`
}
