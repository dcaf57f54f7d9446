/** A connector's runs, over whatever page is open: one run as it goes, or the history. The address says which. */
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { connectorList } from '../../api/lists.ts'
import { useWorkspace } from '../../api/workspace.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RunHistory } from './run-history.tsx'
import { RunView } from './run-view.tsx'

export function RunDrawer({ connectorId, runId }: { connectorId: string; runId: string | null }) {
  const clientId = useWorkspace().organisation.Id
  const [, setParams] = useSearchParams()
  const { data } = useQuery(connectorList(clientId))
  const connector = data?.find(({ Id }) => Id === connectorId)
  const place = { clientId, connectorId }

  const show = (run: string | null) =>
    setParams((current) => {
      const next = new URLSearchParams(current)
      if (run === null) next.delete('run')
      else next.set('run', run)
      return next
    })
  const close = () =>
    setParams((current) => {
      const next = new URLSearchParams(current)
      next.delete('run')
      next.delete('connector')
      return next
    })

  const title = connector?.Name ?? 'Runs'
  if (runId === null) {
    return (
      <Dialog kind="wide drawer" title={title} subtitle="Runs, latest first" onClose={close}>
        <RunHistory place={place} onOpen={show} />
      </Dialog>
    )
  }
  return (
    <RunView
      key={runId}
      place={{ ...place, runId }}
      title={title}
      type={connector?.Type ?? null}
      onHistory={() => show(null)}
      onClose={close}
    />
  )
}
