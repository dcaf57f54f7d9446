/** Creates or widens the tables of all products of a token, and lists the outcome in each database. */
import type { AccountingToken } from '@tributary/contract/accounting'
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { call } from '../../api/call.ts'
import type { CallReply } from '@tributary/contract/calls'
import { useMutation } from '../../api/use-mutation.ts'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { outcomeLabels, tableOutcomeColumns } from '../../domain/databases/table-outcome-columns.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import css from './tokens.module.css'
import { formatCount } from '../../ui/formats.ts'

type SynchronisedProductTables = CallReply<'GET /token/:tokenId/sync-tables'>[number]

const tableColumns: readonly TableColumn<SynchronisedProductTables['Tables'][number]>[] = [
  { title: 'Table', cell: ({ Table }) => <code>{Table}</code> },
  ...tableOutcomeColumns,
]

export function TokenTables({ token }: { token: AccountingToken }) {
  const synchronise = useMutation({
    mutationFn: () => call('GET /token/:tokenId/sync-tables', { params: { tokenId: token.id } }),
  })
  const { data } = synchronise
  return (
    <Panel
      title="Tables"
      aside={
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconRefresh />}
          loading={synchronise.isPending}
          onClick={() => synchronise.mutate()}
        >
          Synchronise tables
        </Button>
      }
    >
      <MutationError of={synchronise} />
      <p className="small subtle">
        Choose an organisation to say where its tables are written. Synchronise tables makes those of every product of
        this token now, without waiting for a run, and widens them where columns are missing.
      </p>
      <output className={css.products}>
        {data?.length === 0 ? 'This token has no products yet.' : null}
        {data?.map((product) => (
          <ProductTablesResult key={product.ProductId} product={product} />
        ))}
      </output>
    </Panel>
  )
}

function ProductTablesResult({
  product: { CompanyName, Place, Notice, Tables },
}: {
  product: SynchronisedProductTables
}) {
  const outcomeCounts = (Object.keys(outcomeLabels) as (keyof typeof outcomeLabels)[]).flatMap((outcome) => {
    const size = Tables.filter(({ Outcome }) => Outcome === outcome).length
    return size === 0 ? [] : [`${formatCount(size)} ${outcome}`]
  })
  return (
    <section className={css.product}>
      <h3>{CompanyName}</h3>
      <p className="small subtle">{[`In ${Place}`, ...outcomeCounts].join(', ')}</p>
      {Notice === null ? null : <Callout tone="error">{Notice}</Callout>}
      {Tables.length === 0 ? null : (
        <details>
          <summary>{`All ${formatCount(Tables.length)} tables`}</summary>
          <DataTable
            caption={`Tables of ${CompanyName}`}
            columns={tableColumns}
            rows={Tables}
            rowKey={({ Table }) => Table}
          />
        </details>
      )}
    </section>
  )
}
