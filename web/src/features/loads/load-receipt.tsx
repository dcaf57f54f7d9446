/** Receipt of a load: rows, author, what was replaced, and the button to undo it. */
import type { Load } from '@tributary/contract/loads'
import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { DescriptionList, Panel } from '../../ui/layout/panel.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import { ChangeLog } from './change-log.tsx'
import css from './loads.module.css'
import { ReplacedSlicesTable } from './replaced-slices-table.tsx'
import { TotalsTable } from './totals-table.tsx'
import { formatCount, formatMoment } from '../../ui/formats.ts'

const LazyUndoLoadDialog = lazyDialog(() => import('./undo-load-dialog.tsx'), 'UndoLoadDialog')

const sourceLabels = { portal: 'The portal', addin: 'Excel' } as const

export function LoadReceipt({ load }: { load: Load }) {
  const [isConfirming, setConfirming] = useState(false)
  const undo = (
    <Button variant="default" leftSection={<IconArrowBackUp />} onClick={() => setConfirming(true)}>
      Undo
    </Button>
  )
  return (
    <>
      <Panel title={`Receipt for ${load.RecordName}`} aside={load.MayUndo ? undo : undefined}>
        <UndoRelation load={load} />
        <DescriptionList items={receiptFacts(load)} />
        <div className={css.actions}>
          <Button component={Link} to={paths.loads} variant="default">
            Load another file
          </Button>
        </div>
      </Panel>
      <ReplacedSlicesTable slices={load.Slices} replaces="Replaced" />
      <TotalsTable totals={load.Totals} />
      <ChangeLog load={load} />
      {isConfirming && load.MayUndo ? <LazyUndoLoadDialog load={load} onClose={() => setConfirming(false)} /> : null}
    </>
  )
}

/** Link between a load and the load that undid it. */
function UndoRelation({ load: { Status, Undoes, UndoneBy } }: { load: Load }) {
  if (Status === 'UNDONE')
    return (
      <Callout tone="warn" title="This load was undone.">
        {UndoneBy === null ? null : <Link to={paths.load(UndoneBy)}>See the load that restored the previous rows</Link>}
      </Callout>
    )
  if (Undoes === null) return null
  return (
    <Callout tone="info" title="This load restored the rows that another load had replaced.">
      <Link to={paths.load(Undoes)}>See the load that it undid</Link>
    </Callout>
  )
}

function receiptFacts(load: Load) {
  return [
    { label: 'Table', value: load.TableName, isCode: true },
    { label: 'Sheet', value: `${load.Sheet} of ${load.Workbook}` },
    { label: 'From', value: sourceLabels[load.Source] },
    { label: 'Loaded by', value: load.By },
    { label: 'Loaded at', value: load.CommittedAtUtc === null ? '–' : formatMoment(load.CommittedAtUtc, 'exact') },
    { label: 'Rows', value: `${formatCount(load.Rows)}, replacing ${formatCount(load.RowsBefore)}` },
    { label: 'Receipt', value: load.Id, isCode: true },
  ]
}
