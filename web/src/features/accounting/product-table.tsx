import type { AccountingProduct } from '@tributary/contract/accounting'
import { IconCheck, IconProgress } from '@tabler/icons-react'
import { IconX } from '@tabler/icons-react/visitor-icons'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { useMay } from '../../api/session/workspace.ts'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { RowActions, RowButton } from '../../ui/tables/row-actions.tsx'
import { formatCount } from '../../ui/formats.ts'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { TieOutBadge } from '../../domain/tie-out/tie-out-badge.tsx'
import css from './accounting.module.css'
import type { ProductWithCredentials } from './credentials-dialog.tsx'
import { ConnectorLink } from '../../domain/connectors/connector-link.tsx'
import { SyncButton, type SyncNotice } from './sync-button.tsx'

export interface ProductActions {
  onNotice: (notice: SyncNotice) => void
  onOpen: (opened: ProductWithCredentials) => void
}

export function ProductTable({ products, ...actions }: ProductActions & { products: readonly AccountingProduct[] }) {
  const columns = productColumns(actions, useMay()('editConnector'))
  return (
    <DataTable
      caption="My Entities - Ready to Sync"
      name="products"
      summary={products.length === 1 ? '1 entity' : `${formatCount(products.length)} entities`}
      columns={columns}
      rows={products}
      rowKey={({ Id }) => Id}
    />
  )
}

function productColumns(actions: ProductActions, mayEdit: boolean): readonly TableColumn<AccountingProduct>[] {
  const manage = (product: AccountingProduct) => (
    <RowActions describedBy={productNameId(product)}>
      <SyncButton product={product} nameId={productNameId(product)} onNotice={actions.onNotice} />
      {mayEdit ? <EditCredentialsButton product={product} {...actions} /> : null}
    </RowActions>
  )
  return [
    { title: 'Entity', cell: (product) => <ProductName product={product} /> },
    {
      title: 'Synced by hand',
      cell: ({ LastIncrementalTriggerDate: at }) => (at === null ? 'Never' : <RelativeTime at={at} />),
    },
    { title: 'Last run', cell: (product) => <LastRun product={product} /> },
    { title: 'Tie-out', cell: ({ TieOut }) => (TieOut === null ? 'Not compared yet' : <TieOutBadge state={TieOut} />) },
    { title: 'Manage', isActions: true, cell: manage },
  ]
}

function productNameId({ Id }: AccountingProduct): string {
  return `product-${Id}`
}

function ProductName({ product }: { product: AccountingProduct }) {
  const { CompanyName, Name, Status } = product
  return (
    <span className={css.name}>
      <span id={productNameId(product)}>{CompanyName}</span>
      {Name === CompanyName ? null : <span className={css.under}>{Name}</span>}
      {Status === 'CONNECTED' ? null : <span className={css.under}>{Status.toLowerCase()}</span>}
    </span>
  )
}

/** Status of the latest run, linked to the run. */
function LastRun({ product: { Id, Log } }: { product: AccountingProduct }) {
  if (Log === null) return 'Never started'
  return (
    <ConnectorLink connectorId={Id} run={Log.RunId} className={css.run}>
      <StatusBadge {...runBadge(Log)} />
      <span className={css.when}>
        {Log.CompletedAtUtc === null ? 'See the run' : <RelativeTime at={Log.CompletedAtUtc} />}
      </span>
    </ConnectorLink>
  )
}

function runBadge({ CompletedAtUtc, HasError, Forbidden }: NonNullable<AccountingProduct['Log']>) {
  if (CompletedAtUtc === null) return { label: 'Running', tone: 'info', icon: IconProgress, isPulsing: true } as const
  if (Forbidden) return { label: 'May be disconnected', tone: 'warn', icon: IconX } as const
  return HasError
    ? ({ label: 'Failed', tone: 'error', icon: IconX } as const)
    : ({ label: 'Completed', tone: 'ok', icon: IconCheck } as const)
}

/**
 * Loads the stored credentials before the dialog opens, so that a late response cannot overwrite what the user types.
 */
function EditCredentialsButton({ product, onNotice, onOpen }: ProductActions & { product: AccountingProduct }) {
  const open = useMutation({
    mutationFn: () =>
      call('GET /xero2sqlproducts/:connectorId/database-credentials', { params: { connectorId: product.Id } }),
    onSuccess: (stored) => onOpen({ product, stored }),
    onError: (error) => onNotice({ tone: 'error', text: messageOf(error) }),
  })
  return (
    <RowButton loading={open.isPending} describedBy={productNameId(product)} onClick={() => open.mutate()}>
      Edit
    </RowButton>
  )
}
