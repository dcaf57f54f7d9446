import type { PastTieOut, TieOut, TieOutPeriod } from '@tributary/contract/tie-out'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useType } from '../../domain/connectors/use-connector-type.ts'
import { type Column, count, DataTable } from '../../ui/tables/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Loaded } from '../../domain/requests/query-result.tsx'
import { Note } from '../../ui/feedback/callout.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { TieOutChip } from '../../domain/tie-out/tie-out-badge.tsx'
import { figure } from './format-amounts.ts'
import { pastTieOuts } from './api.ts'
import type { Depth } from './drill-down-props.ts'
import css from './tie-out.module.css'
import { basisWords, mendedWords, monthName } from './tie-out-wording.ts'

const pastShown = 10

type OverviewProps = Depth & { readonly onRun: (runId: string) => void }

/** The state of the books, month by month, and how it was after earlier runs. */
export function Overview({ place, tieOut, addressOf, onRun }: OverviewProps) {
  return (
    <>
      <Summary tieOut={tieOut} />
      <section className={css.part} aria-labelledby="tie-out-months">
        <h3 id="tie-out-months">Months</h3>
        {tieOut.Periods.length === 0 ? (
          <EmptyState kind="first" title="The figures of this one are not kept.">
            The next run compares the months anew.
          </EmptyState>
        ) : (
          <DataTable
            caption="Months, latest first"
            columns={monthColumns(tieOut, addressOf)}
            rows={tieOut.Periods}
            rowKey={({ Period }) => Period}
          />
        )}
      </section>
      <section className={css.part} aria-labelledby="tie-out-history">
        <h3 id="tie-out-history">After each run</h3>
        <Loaded query={useQuery(pastTieOuts(place))}>{(past) => <Past past={past} onRun={onRun} />}</Loaded>
      </section>
    </>
  )
}

function Summary({ tieOut }: { tieOut: TieOut }) {
  const { title } = useType()
  const mended = mendedWords(tieOut)
  return (
    <div className={css.summary}>
      <p className={css.state}>
        <TieOutChip state={tieOut.State} />
        <span className="small subtle">
          Checked <RelativeTime at={tieOut.CheckedAtUtc} />
        </span>
      </p>
      {tieOut.Notice === null ? null : <Note tone={tieOut.State === 'red' ? 'error' : 'warn'}>{tieOut.Notice}</Note>}
      {mended === null ? null : <Note tone="info">{mended}</Note>}
      <p className="small muted">
        {`${tieOut.Company}: the trial balance of your tables, computed ${basisWords(tieOut)}, against ${title}’s own trial balance, month by month${tieOut.Currency === null ? '' : `, in ${tieOut.Currency}`}.`}
      </p>
    </div>
  )
}

function Past({ past, onRun }: { past: readonly PastTieOut[]; onRun: OverviewProps['onRun'] }) {
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      <DataTable
        caption="Tie-outs of runs, latest first"
        columns={pastColumns(onRun)}
        rows={isWhole ? past : past.slice(0, pastShown)}
        rowKey={({ RunId }) => RunId}
      />
      {isWhole || past.length <= pastShown ? null : (
        <Button variant="default" size="compact-md" className={css.more} onClick={() => setWhole(true)}>
          Show all {past.length}
        </Button>
      )}
    </>
  )
}

function monthColumns({ Currency }: TieOut, addressOf: Depth['addressOf']): Column<TieOutPeriod>[] {
  return [
    { title: 'Month', cell: ({ Period }) => <Link to={addressOf({ period: Period })}>{monthName(Period)}</Link> },
    { title: 'State', cell: ({ State }) => <TieOutChip state={State} /> },
    { title: 'Accounts', isNumber: true, cell: ({ Accounts }) => count(Accounts) },
    { title: 'Differing', isNumber: true, cell: ({ Differing }) => count(Differing) },
    {
      title: Currency === null ? 'Difference' : `Difference, ${Currency}`,
      isNumber: true,
      cell: ({ Difference }) => figure(Difference),
    },
  ]
}

function pastColumns(onRun: (runId: string) => void): Column<PastTieOut>[] {
  return [
    {
      title: 'Run',
      cell: ({ RunId, CheckedAtUtc }) => (
        <button type="button" className={css.open} onClick={() => onRun(RunId)}>
          <RelativeTime at={CheckedAtUtc} />
        </button>
      ),
    },
    {
      title: 'State',
      cell: ({ State, Notice }) => (
        <>
          <TieOutChip state={State} />
          {Notice === null ? null : <span className={css.notice}>{Notice}</span>}
        </>
      ),
    },
    { title: 'Differing', isNumber: true, cell: ({ Differing }) => count(Differing) },
  ]
}
