import type { AccountingProduct } from '@tributary/contract/accounting'
import { Button } from '@mantine/core'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { rememberStarted } from '../../api/queries/started-runs.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { now } from '@tributary/client/server-clock'
import { formatRelativeTime } from '../../domain/time/relative-time.tsx'
import { useNow } from '../../domain/time/use-now.ts'
import { useInvalidateProducts } from './api.ts'
import { formatCountdown, cooldownMessage, cooldownMs } from './sync-cooldown.ts'

/** The outcome of a synchronisation request. */
export interface SyncNotice {
  readonly tone: 'ok' | 'error'
  readonly text: string
}

interface SyncButtonProps {
  product: AccountingProduct
  /** Id of the element that names the product. */
  nameId: string
  onNotice: (notice: SyncNotice) => void
}

/** Stays enabled during the cooldown and explains on a click why it must wait: a disabled button could not. */
export function SyncButton({ product, nameId, onNotice }: SyncButtonProps) {
  const time = useNow(1_000)
  const remainingMs = cooldownMs(product, time)
  const sync = useSynchroniseProduct(product, onNotice)
  const waitId = `wait-${product.Id}`

  function synchroniseOrExplain() {
    if (remainingMs > 0) onNotice({ tone: 'error', text: cooldownMessage(product, now()) })
    else sync.mutate()
  }

  return (
    <>
      <Button
        size="compact-sm"
        variant={remainingMs > 0 ? 'default' : 'filled'}
        disabled={product.Status !== 'CONNECTED'}
        loading={sync.isPending}
        aria-describedby={remainingMs > 0 ? `${nameId} ${waitId}` : nameId}
        rightSection={
          remainingMs > 0 ? (
            <span className="num" aria-hidden>
              {formatCountdown(remainingMs)}
            </span>
          ) : null
        }
        onClick={synchroniseOrExplain}
      >
        Sync
      </Button>
      {remainingMs > 0 ? (
        <span id={waitId} hidden>
          {`May be synchronised again ${formatRelativeTime(time + remainingMs, time)}`}
        </span>
      ) : null}
    </>
  )
}

function useSynchroniseProduct({ Id: connectorId, Name }: AccountingProduct, onNotice: (notice: SyncNotice) => void) {
  const clientId = useOrganisationId()
  const invalidateProducts = useInvalidateProducts()
  return useMutation({
    mutationFn: () => call('POST /xero2sqlproducts/:connectorId/incremental', { params: { connectorId } }),
    onSuccess: ({ statusCode, message, RunId: runId }) => {
      // The reply repeats its status code in the body.
      onNotice({ tone: statusCode === 200 ? 'ok' : 'error', text: message })
      if (statusCode === 200) rememberStarted({ clientId, connectorId, runId, name: Name })
    },
    onError: (error) => onNotice({ tone: 'error', text: messageOf(error) }),
    onSettled: invalidateProducts,
  })
}
