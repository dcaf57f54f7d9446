import type { TieOutCompany, TieOutDocument, TieOutLine } from '@tributary/contract/tie-out'
import { IconExternalLink, IconEyeOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { DescriptionList } from '../../ui/layout/panel.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { TieOutBadge } from '../../domain/tie-out/tie-out-badge.tsx'
import { tieOutDocuments, tieOutLines } from './api.ts'
import { BackLink } from './back-link.tsx'
import type { DrillDownProps } from './drill-down-props.ts'
import { formatCompany } from './company-figures.ts'
import css from './tie-out.module.css'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import { accountName, formatBookDate, formatMonth } from './tie-out-wording.ts'
import { formatCount, formatDecimal } from '../../ui/formats.ts'

/** Number of documents that the server stores for an account. */
const maxStoredDocuments = 500

type AccountViewProps = DrillDownProps & {
  readonly period: string
  readonly accountId: string
  /** Empty if the tables belong to one company. */
  readonly company: string
}

/** Documents behind the computed figure of an account that differs. */
export function AccountView({ ids, tieOut, period, accountId, company, urlAt }: AccountViewProps) {
  const lines = useQuery(tieOutLines(ids, { period, runId: tieOut.RunId })).data
  const line = lines?.find(({ AccountId, Company }) => AccountId === accountId && Company === company)
  return (
    <>
      <BackLink to={urlAt({ period })}>{formatMonth(period)}</BackLink>
      {line === undefined ? null : <AccountFigures line={line} companies={tieOut.Companies} />}
      <QueryResult query={useQuery(tieOutDocuments(ids, { period, accountId, company }))}>
        {(documents) => <DocumentTable documents={documents} line={line} />}
      </QueryResult>
    </>
  )
}

interface AccountFiguresProps {
  readonly line: TieOutLine
  readonly companies: readonly TieOutCompany[]
}

function AccountFigures({ line, companies }: AccountFiguresProps) {
  const { Code, Name, Company, Computed, Reported, Difference, State, Notice } = line
  const company = companies.find(({ Id }) => Id === Company)
  return (
    <>
      <div className={css.head}>
        <h3>{accountName(Code, Name)}</h3>
        <TieOutBadge state={State} />
      </div>
      {Notice === null ? null : <Callout tone={State === 'red' ? 'error' : 'warn'}>{Notice}</Callout>}
      <DescriptionList
        items={[
          ...(company === undefined ? [] : [{ label: 'Company', value: formatCompany(company) }]),
          { label: 'Computed', value: formatDecimal(Computed, 2) },
          { label: 'Reported', value: formatDecimal(Reported, 2) },
          { label: 'Difference', value: formatDecimal(Difference, 2) },
        ]}
      />
    </>
  )
}

function DocumentTable({ documents, line }: { documents: readonly TieOutDocument[]; line: TieOutLine | undefined }) {
  if (documents.length === 0)
    return (
      <EmptyState kind="first" title="No documents are kept for this account.">
        Documents are kept only for accounts that differ. If none is listed, your tables contain no document of this
        month for the account.
      </EmptyState>
    )
  const isTruncated = line !== undefined && line.Documents > documents.length
  return (
    <DrawerSection title="What it is computed from">
      {isTruncated || documents.length === maxStoredDocuments ? (
        <p className="small muted">{`The latest ${formatCount(documents.length)} of them.`}</p>
      ) : null}
      <DataTable
        caption="Documents, latest first"
        columns={documentColumns}
        rows={documents}
        rowKey={({ Kind, Id }) => `${Kind} ${Id}`}
      />
    </DrawerSection>
  )
}

const documentColumns: readonly TableColumn<TieOutDocument>[] = [
  {
    title: 'Document',
    cell: (document) => (
      <span className={css.account}>
        <DocumentName document={document} />
        {document.WasQuiet ? (
          <span className={css.quiet}>
            <StatusBadge
              label="changed without notice"
              tone="warn"
              icon={IconEyeOff}
              tooltip="The source changed it without updating its modification date. The comparison found it, and it was read again."
            />
          </span>
        ) : null}
      </span>
    ),
  },
  { title: 'Date', cell: ({ Date: date }) => <span className={css.date}>{formatBookDate(date)}</span> },
  { title: 'Contact', cell: ({ Contact }) => Contact ?? '–' },
  { title: 'Amount', isNumber: true, cell: ({ Amount }) => formatDecimal(Amount, 2) },
]

function DocumentName({ document: { Kind, Number, Address } }: { document: TieOutDocument }) {
  const name = Number === null || Number === '' ? Kind : `${Kind} ${Number}`
  if (Address === null) return name
  return (
    <a href={Address} target="_blank" rel="noreferrer" className={css.outside}>
      {name}
      <IconExternalLink size={14} />
      <span className="visually-hidden"> (opens at the source)</span>
    </a>
  )
}
