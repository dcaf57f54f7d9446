import type { TieOut, TieOutCompany, TieOutHistoryEntry, TieOutPeriod } from '@tributary/contract/tie-out'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { LinkButton } from '../../ui/display/link-button.tsx'
import { useConnectorType } from '../../domain/connectors/use-connector-type.ts'
import { type TableColumn, DataTable, countColumn } from '../../ui/tables/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { NotComparedBadge, TieOutBadge } from '../../domain/tie-out/tie-out-badge.tsx'
import { pastTieOuts } from './api.ts'
import type { DrillDownProps } from './drill-down-props.ts'
import { describeCompanies, formatCompany, formatDifference } from './company-figures.ts'
import css from './tie-out.module.css'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import { describeBasis, describeCorrections, formatMonth } from './tie-out-wording.ts'

const initialPastRows = 10

type MonthsViewProps = DrillDownProps & { readonly onRun: (runId: string) => void }

/** Tie-out by month, and its results after earlier runs. */
export function MonthsView({ ids, tieOut, urlAt, onRun }: MonthsViewProps) {
  return (
    <>
      <TieOutSummaryPanel tieOut={tieOut} />
      {tieOut.Companies.length === 0 ? null : (
        <DrawerSection title="Companies">
          <DataTable
            caption="Companies of the connector, each compared with its own report"
            columns={companyColumns}
            rows={tieOut.Companies}
            rowKey={({ Id }) => Id}
          />
        </DrawerSection>
      )}
      <DrawerSection title="Months">
        {tieOut.Periods.length === 0 ? (
          <EmptyState kind="first" title="The figures of this tie-out are no longer stored.">
            The next run compares the months again.
          </EmptyState>
        ) : (
          <DataTable
            caption="Months, latest first"
            columns={monthColumns(tieOut, urlAt)}
            rows={tieOut.Periods}
            rowKey={({ Period }) => Period}
          />
        )}
      </DrawerSection>
      <DrawerSection title="After each run">
        <QueryResult query={useQuery(pastTieOuts(ids))}>
          {(past) => <PastTieOuts past={past} onRun={onRun} />}
        </QueryResult>
      </DrawerSection>
    </>
  )
}

function TieOutSummaryPanel({ tieOut }: { tieOut: TieOut }) {
  const { title } = useConnectorType()
  const correction = describeCorrections(tieOut)
  return (
    <div className={css.summary}>
      <p className={css.state}>
        <TieOutBadge state={tieOut.State} />
        <span className="small subtle">
          Checked <RelativeTime at={tieOut.CheckedAtUtc} />
        </span>
      </p>
      {tieOut.Notice === null ? null : (
        <Callout tone={tieOut.State === 'red' ? 'error' : 'warn'}>{tieOut.Notice}</Callout>
      )}
      {correction === null ? null : <Callout tone="info">{correction}</Callout>}
      <p className="small muted">
        {`${describeCompanies(tieOut)}: the trial balance of your tables, computed ${describeBasis(tieOut)}, against ${title}’s own trial balance, month by month${tieOut.Currency === null ? '' : `, in ${tieOut.Currency}`}.`}
      </p>
    </div>
  )
}

function PastTieOuts({ past, onRun }: { past: readonly TieOutHistoryEntry[]; onRun: MonthsViewProps['onRun'] }) {
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      <DataTable
        caption="Tie-outs of runs, latest first"
        columns={pastColumns(onRun)}
        rows={isWhole ? past : past.slice(0, initialPastRows)}
        rowKey={({ RunId }) => RunId}
      />
      {isWhole || past.length <= initialPastRows ? null : (
        <Button variant="default" size="compact-md" className={css.more} onClick={() => setWhole(true)}>
          Show all {past.length}
        </Button>
      )}
    </>
  )
}

function monthColumns({ Currency }: TieOut, addressOf: DrillDownProps['urlAt']): TableColumn<TieOutPeriod>[] {
  return [
    { title: 'Month', cell: ({ Period }) => <Link to={addressOf({ period: Period })}>{formatMonth(Period)}</Link> },
    { title: 'State', cell: ({ State }) => <TieOutBadge state={State} /> },
    countColumn('Accounts', ({ Accounts }) => Accounts),
    countColumn('Differing', ({ Differing }) => Differing),
    {
      title: Currency === null ? 'Difference' : `Difference, ${Currency}`,
      isNumber: true,
      cell: ({ Difference }) => formatDifference(Difference),
    },
  ]
}

const companyColumns: readonly TableColumn<TieOutCompany>[] = [
  { title: 'Company', cell: formatCompany },
  {
    title: 'State',
    cell: ({ State, Notice, Compared }) => (
      <>
        {Compared ? <TieOutBadge state={State} /> : <NotComparedBadge />}
        {Notice === null ? null : <span className={css.notice}>{Notice}</span>}
      </>
    ),
  },
]

function pastColumns(onRun: (runId: string) => void): TableColumn<TieOutHistoryEntry>[] {
  return [
    {
      title: 'Run',
      cell: ({ RunId, CheckedAtUtc }) => (
        <LinkButton onClick={() => onRun(RunId)}>
          <RelativeTime at={CheckedAtUtc} />
        </LinkButton>
      ),
    },
    {
      title: 'State',
      cell: ({ State, Notice }) => (
        <>
          <TieOutBadge state={State} />
          {Notice === null ? null : <span className={css.notice}>{Notice}</span>}
        </>
      ),
    },
    countColumn('Differing', ({ Differing }) => Differing),
  ]
}
