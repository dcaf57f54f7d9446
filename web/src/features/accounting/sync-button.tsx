import type { Product } from '@tributary/contract/accounting'
import { Button } from '@mantine/core'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { rememberStarted } from '../../api/queries/started-runs.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { now } from '@tributary/client/server-clock'
import { relativeWords, useTick } from '../../domain/time/relative-time.tsx'
import { useRefreshed } from './api.ts'
import { countdown, tooSoonWords, waitMs } from './sync-cooldown.ts'

/** What pressing it came to. */
export interface SyncNotice {
  readonly tone: 'ok' | 'error'
  readonly text: string
}

interface SyncButtonProps {
  product: Product
  /** The id of what names the product. */
  nameId: string
  onNotice: (notice: SyncNotice) => void
}

/** Can be pressed too early, and then says why not: a button that is greyed out would not. */
export function SyncButton({ product, nameId, onNotice }: SyncButtonProps) {
  const time = useTick(1_000)
  const leftMs = waitMs(product, time)
  const sync = useSync(product, onNotice)
  const waitId = `wait-${product.Id}`

  function press() {
    if (leftMs > 0) onNotice({ tone: 'error', text: tooSoonWords(product, now()) })
    else sync.mutate()
  }

  return (
    <>
      <Button
        size="compact-sm"
        variant={leftMs > 0 ? 'default' : 'filled'}
        disabled={product.Status !== 'CONNECTED'}
        loading={sync.isPending}
        aria-describedby={leftMs > 0 ? `${nameId} ${waitId}` : nameId}
        rightSection={
          leftMs > 0 ? (
            <span className="num" aria-hidden>
              {countdown(leftMs)}
            </span>
          ) : null
        }
        onClick={press}
      >
        Sync
      </Button>
      {leftMs > 0 ? (
        <span id={waitId} hidden>
          {`May be synchronised again ${relativeWords(time + leftMs, time)}`}
        </span>
      ) : null}
    </>
  )
}

function useSync({ Id: connectorId, Name }: Product, onNotice: (notice: SyncNotice) => void) {
  const clientId = useWorkspace().organisation.Id
  const refreshed = useRefreshed()
  return useMutation({
    mutationFn: () => call('POST /xero2sqlproducts/:connectorId/incremental', { params: { connectorId } }),
    onSuccess: ({ statusCode, message, RunId: runId }) => {
      // The answer tells its status a second time, in the body.
      onNotice({ tone: statusCode === 200 ? 'ok' : 'error', text: message })
      if (statusCode === 200) rememberStarted({ clientId, connectorId, runId, name: Name })
    },
    onError: (error) => onNotice({ tone: 'error', text: messageOf(error) }),
    onSettled: refreshed,
  })
}
