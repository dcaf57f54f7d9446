import type { Connector } from '@tributary/contract/connectors'
import type { TieOut, TieOutLine } from '@tributary/contract/tie-out'
import { Button } from '@mantine/core'
import { IconCertificate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { connectorList } from '../../api/queries/common-queries.ts'
import { paths } from '../../paths.ts'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { downloadFile } from '../../ui/files/download.ts'
import { TieOutBadge } from '../../domain/tie-out/tie-out-badge.tsx'
import { isZero } from './amount-arithmetic.ts'
import { tieOutLines } from './api.ts'
import { BackLink } from './back-link.tsx'
import { companyName, sortByCompany } from './company-figures.ts'
import type { DrillDownProps } from './drill-down-props.ts'
import { figuresCsv } from './figures-csv.ts'
import { MonthTotals } from './month-totals.tsx'
import css from './tie-out.module.css'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { accountName, formatMonth } from './tie-out-wording.ts'
import { formatDecimal } from '../../ui/formats.ts'

type MonthViewProps = DrillDownProps & { readonly period: string }

/** Every account of a month: computed, reported, and the difference. */
export function MonthView({ ids, tieOut, period, urlAt }: MonthViewProps) {
  const query = useQuery(tieOutLines(ids, { period, runId: tieOut.RunId }))
  const connector = useConnector(ids.connectorId)
  const month = tieOut.Periods.find(({ Period }) => Period === period)
  return (
    <>
      <BackLink to={urlAt({})}>All months</BackLink>
      <div className={css.head}>
        <h3>{formatMonth(period)}</h3>
        {month === undefined ? null : <TieOutBadge state={month.State} />}
        {connector === undefined || query.data?.length === 0 ? null : (
          <CertificateLink connector={connector} period={period} />
        )}
      </div>
      <QueryResult query={query}>
        {(lines) =>
          lines.length === 0 ? (
            <EmptyState kind="first" title={`Nothing was compared for ${formatMonth(period)}.`}>
              The tie-out covers the months that the latest run compared.
            </EmptyState>
          ) : (
            <>
              <MonthTotals lines={lines} tieOut={tieOut} period={period} />
              <DataTable
                caption={`Accounts of ${formatMonth(period)}, those that differ first`}
                name="accounts"
                {...(connector && {
                  exporting: {
                    start: () =>
                      downloadFile(
                        `tie-out-${connector.Key}-${period.slice(0, 7)}.csv`,
                        figuresCsv(lines, tieOut.Companies),
                      ),
                  },
                })}
                columns={accountColumns(tieOut, period, urlAt)}
                rows={sortByCompany(tieOut, lines)}
                rowKey={({ Company, AccountId }) => `${Company} ${AccountId}`}
              />
            </>
          )
        }
      </QueryResult>
    </>
  )
}

function useConnector(connectorId: string): Connector | undefined {
  return useQuery(connectorList(useOrganisationId())).data?.find(({ Id }) => Id === connectorId)
}

function CertificateLink({ connector, period }: { connector: Connector; period: string }) {
  return (
    <div className={css.tools}>
      <Button
        component={Link}
        to={paths.certificate(connector.Type, connector.Id, period)}
        variant="default"
        size="compact-md"
        leftSection={<IconCertificate />}
      >
        Certificate
      </Button>
    </div>
  )
}

function accountColumns(
  { Companies }: TieOut,
  period: string,
  addressOf: DrillDownProps['urlAt'],
): TableColumn<TieOutLine>[] {
  return [
    {
      title: 'Account',
      cell: ({ Company, AccountId, Code, Name, Documents, Notice }) => (
        <span className={css.account}>
          {Documents === 0 ? (
            accountName(Code, Name)
          ) : (
            <Link to={addressOf({ period, account: AccountId, ...(Company !== '' && { company: Company }) })}>
              {accountName(Code, Name)}
            </Link>
          )}
          {Notice === null ? null : <span className={css.notice}>{Notice}</span>}
        </span>
      ),
    },
    ...(Companies.length === 0
      ? []
      : [{ title: 'Company', cell: ({ Company }: TieOutLine) => companyName(Companies, Company) }]),
    { title: 'Computed', isNumber: true, cell: ({ Computed }) => formatDecimal(Computed, 2) },
    { title: 'Reported', isNumber: true, cell: ({ Reported }) => formatDecimal(Reported, 2) },
    {
      title: 'Difference',
      isNumber: true,
      cell: ({ Difference }) =>
        isZero(Difference) ? formatDecimal(Difference, 2) : <strong>{formatDecimal(Difference, 2)}</strong>,
    },
    { title: 'State', cell: ({ State }) => <TieOutBadge state={State} /> },
  ]
}
