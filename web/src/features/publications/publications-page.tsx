/** What published views show, by target database, for administrators. */
import { useQuery } from '@tanstack/react-query'
import type { PublicationSet } from '@tributary/contract/publications'
import { useState } from 'react'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { TablesOnlyConnectors } from '../../domain/connectors/tables-only-connectors.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import { publicationSets } from './publication-queries.ts'
import { PublicationSetPanel, type SetDialogKind } from './publication-set-panel.tsx'
import { SwitchOffDialog } from './switch-off-dialog.tsx'

const LazySetDialog = lazyDialog(() => import('./publication-set-dialog.tsx'), 'PublicationSetDialog')
const LazyHistoryDialog = lazyDialog(() => import('./publication-history-dialog.tsx'), 'PublicationHistoryDialog')

interface OpenDialog {
  readonly kind: SetDialogKind
  readonly set: PublicationSet
}

export function PublicationsPage() {
  const sets = useQuery(publicationSets(useOrganisationId()))
  const [opened, setOpened] = useState<OpenDialog | null>(null)
  const close = () => setOpened(null)
  return (
    <Page kind="form">
      <QueryResult query={sets} loading={<SkeletonLines count={6} height={44} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState kind="first" title="There is nothing to publish yet.">
              Once a connector loads tables, reports can read published views instead: they show one completed run of
              each connector, and move forward only when your rule holds.
            </EmptyState>
          ) : (
            list.map((set) => (
              <PublicationSetPanel key={set.Id} set={set} onOpen={(kind) => setOpened({ kind, set })} />
            ))
          )
        }
      </QueryResult>
      <TablesOnlyConnectors consequence="which cannot be published" />
      {opened?.kind === 'change' ? <LazySetDialog set={opened.set} onClose={close} /> : null}
      {opened?.kind === 'history' ? <LazyHistoryDialog set={opened.set} onClose={close} /> : null}
      {opened?.kind === 'switchOff' ? <SwitchOffDialog set={opened.set} onClose={close} /> : null}
    </Page>
  )
}
