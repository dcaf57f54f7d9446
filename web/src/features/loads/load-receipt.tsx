/** What was loaded, by whom, in place of what; and the way to take it back. */
import type { Load } from '@tributary/contract/loads'
import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { count } from '../../ui/tables/data-table.tsx'
import { Note } from '../../ui/feedback/callout.tsx'
import { Facts, Panel } from '../../ui/layout/panel.tsx'
import { exactTime } from '../../domain/time/relative-time.tsx'
import { laterDialog } from '../../ui/later.tsx'
import { ChangeLog } from './change-log.tsx'
import css from './loads.module.css'
import { SliceTable } from './replaced-slices-table.tsx'
import { TotalTable } from './totals-table.tsx'

const UndoDialog = laterDialog(async () => (await import('./undo-load-dialog.tsx')).UndoDialog)

const sources = { portal: 'The portal', addin: 'Excel' } as const

export function Receipt({ load }: { load: Load }) {
  const [isAsking, setAsking] = useState(false)
  const undo = (
    <Button variant="default" leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={() => setAsking(true)}>
      Undo
    </Button>
  )
  return (
    <>
      <Panel title={`Receipt for ${load.RecordName}`} aside={load.MayUndo ? undo : undefined}>
        <Relation load={load} />
        <Facts facts={factsOf(load)} />
        <div className={css.actions}>
          <Button component={Link} to={paths.loads} variant="default">
            Load another file
          </Button>
        </div>
      </Panel>
      <SliceTable slices={load.Slices} replaces="Replaced" />
      <TotalTable totals={load.Totals} />
      <ChangeLog load={load} />
      {isAsking && load.MayUndo ? <UndoDialog load={load} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

/** What took it back, or what it takes back. */
function Relation({ load: { Status, Undoes, UndoneBy } }: { load: Load }) {
  if (Status === 'UNDONE')
    return (
      <Note tone="warn" title="This load was undone.">
        {UndoneBy === null ? null : <Link to={paths.load(UndoneBy)}>See what brought the former rows back</Link>}
      </Note>
    )
  if (Undoes === null) return null
  return (
    <Note tone="info" title="This load brought back what another one had replaced.">
      <Link to={paths.load(Undoes)}>See the load that it undid</Link>
    </Note>
  )
}

function factsOf(load: Load) {
  return [
    { label: 'Table', value: load.TableName, isCode: true },
    { label: 'Sheet', value: `${load.Sheet} of ${load.Workbook}` },
    { label: 'From', value: sources[load.Source] },
    { label: 'Loaded by', value: load.By },
    { label: 'Loaded at', value: load.CommittedAtUtc === null ? '–' : exactTime(load.CommittedAtUtc) },
    { label: 'Rows', value: `${count(load.Rows)}, in place of ${count(load.RowsBefore)}` },
    { label: 'Receipt', value: load.Id, isCode: true },
  ]
}
