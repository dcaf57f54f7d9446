import type { VerifiedTable } from '@tributary/contract/verifications'
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { ConnectorLink } from '../../domain/connectors/connector-link.tsx'
import {
  describeColumns,
  describeNewerRows,
  describeTable,
  formatCheckedAt,
} from '../../domain/verifications/verification-words.ts'
import { SearchInput } from '../../ui/forms/search-input.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { formatCount, formatRowCount } from '../../ui/formats.ts'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { RepairDialog } from './repair-dialog.tsx'
import css from './verifications.module.css'

interface VerifiedTablesProps {
  readonly ids: ConnectorParams
  readonly title: string
  readonly tables: readonly VerifiedTable[]
  readonly mayRepair: boolean
  readonly maySeeDifferences: boolean
  readonly onVerify: (name: string) => void
  readonly onRun: (runId: string) => void
}

const searchThreshold = 10

/** The tables of a connector with what verification says about each, those that differ first. */
export function VerifiedTables(props: VerifiedTablesProps) {
  const { ids, title, tables, onRun } = props
  const [term, setTerm] = useState('')
  const [repaired, setRepaired] = useState<VerifiedTable | null>(null)
  const found = tables.filter(({ Name, Table }) => `${Name} ${Table}`.toLowerCase().includes(term.trim().toLowerCase()))
  return (
    <>
      {tables.length < searchThreshold ? null : <SearchInput label="Search tables" value={term} onChange={setTerm} />}
      {found.length === 0 ? (
        <EmptyState kind="noMatch" title={`No table matches '${term.trim()}'.`} />
      ) : (
        <DataTable
          caption="Tables of the connector with their verification"
          name="verifiedTables"
          summary={found.length === 1 ? '1 table' : `${formatCount(found.length)} tables`}
          columns={tableColumns(props, setRepaired)}
          rows={found}
          rowKey={({ Name }) => Name}
        />
      )}
      {repaired === null ? null : (
        <RepairDialog
          ids={ids}
          title={title}
          table={{ name: repaired.Name, label: repaired.Table }}
          onStarted={onRun}
          onClose={() => setRepaired(null)}
        />
      )}
    </>
  )
}

function tableColumns(
  { ids, mayRepair, maySeeDifferences, onVerify }: VerifiedTablesProps,
  onRepair: (table: VerifiedTable) => void,
): TableColumn<VerifiedTable>[] {
  return [
    {
      title: 'Table',
      cell: ({ Name, Table }) => (
        <>
          {Table}
          {Name === Table ? null : <span className={css.notice}>{Name}</span>}
        </>
      ),
    },
    { title: 'Verification', cell: (table) => <TableResult table={table} /> },
    {
      title: 'Actions',
      isActions: true,
      cell: (table) => (
        <span className={css.actions}>
          {maySeeDifferences && table.Differences > 0 ? (
            <Button
              component={ConnectorLink}
              connectorId={ids.connectorId}
              view="verification"
              table={table.Name}
              variant="default"
              size="compact-sm"
              aria-label={`Rows of ${table.Table} that differ`}
            >
              Rows
            </Button>
          ) : null}
          {mayRepair && table.Differences > 0 ? (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`Repair ${table.Table}`}
              onClick={() => onRepair(table)}
            >
              Repair
            </Button>
          ) : null}
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Verify ${table.Table}`}
            onClick={() => onVerify(table.Name)}
          >
            Verify
          </Button>
        </span>
      ),
    },
  ]
}

function TableResult({ table }: { table: VerifiedTable }) {
  const { State, Columns, ColumnsRowByRow, NewerRows, Notice, ProvenAtUtc, Repaired, RowsSoFar } = table
  const remarks = [
    Repaired > 0 ? `${formatRowCount(Repaired)} repaired.` : null,
    RowsSoFar === null ? null : `In progress: ${formatRowCount(RowsSoFar)} compared. The next run continues.`,
    describeNewerRows(NewerRows),
    describeColumns(ColumnsRowByRow, Columns),
    State !== 'identical' && ProvenAtUtc !== null ? `Last identical ${formatCheckedAt(ProvenAtUtc)}.` : null,
    Notice,
  ]
  return (
    <>
      <span data-state={State} className={css.result}>
        {describeTable(table)}
      </span>
      {remarks.map((remark) =>
        remark === null ? null : (
          <span key={remark} className={css.notice}>
            {remark}
          </span>
        ),
      )}
    </>
  )
}
