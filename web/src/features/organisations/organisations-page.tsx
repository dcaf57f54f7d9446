import type { Organisation } from '@tributary/contract/organisations'
import { Button } from '@mantine/core'
import { IconArchive, IconArrowBackUp, IconChartBar, IconDatabase, IconPlus, IconShieldLock } from '@tabler/icons-react'
import { recordStatusBadge } from '../../domain/records/record-status.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, callPage } from '../../api/call.ts'
import { organisationList } from '../../api/queries/common-queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useMay } from '../../api/session/workspace.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { usePageCount } from '../../ui/tables/use-page-count.ts'
import { useUrlPage } from '../../ui/hooks/search-params.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ConnectorIcon } from '../../domain/connectors/connector-icon.tsx'
import { CardGrid, RecordCard } from '../../ui/display/record-card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { SearchBox, useSearchTerm } from '../../ui/forms/search-box.tsx'
import { SkeletonCards } from '../../ui/feedback/skeleton.tsx'
import type { MenuItem } from '../../ui/overlays/menu-button.tsx'
import { MoreActions } from '../../ui/overlays/more-actions.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import css from '../../domain/admin/admin.module.css'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { useInvalidate } from '../../api/use-invalidate.ts'

/** The dialogs of one organisation, which actions on its card open. */
const dialogs = {
  edit: lazyDialog(() => import('./organisation-dialog.tsx'), 'OrganisationDialog'),
  readyBy: lazyDialog(() => import('./ready-by-dialog.tsx'), 'ReadyByDialog'),
  share: lazyDialog(() => import('./run-share-dialog.tsx'), 'RunShareDialog'),
  warehouse: lazyDialog(() => import('./warehouse-dialog.tsx'), 'WarehouseDialog'),
}
type DialogName = keyof typeof dialogs

export function OrganisationsPage() {
  return (
    <Page kind="list" search={<SearchBox label="Search organisations" />}>
      <OrganisationCards />
    </Page>
  )
}

const pageSize = 60

/** The server searches and pages. The key lets a change of an organisation reload the page. */
function useOrganisationPage() {
  const term = useSearchTerm()
  const { page, goTo } = useUrlPage({ replace: true })
  const query = { ...(term !== '' && { search: term }), page, pageSize }
  const organisations = useQuery({
    queryKey: [...organisationList.queryKey, 'page', query],
    queryFn: ({ signal }) => callPage('GET /organisations', { query, signal }),
    placeholderData: keepPreviousData,
  })
  const pages = usePageCount(organisations, { page, pageSize, goTo })
  return { organisations, term, page, pages, goTo }
}

/** Without an organisation, `edit` adds one. */
type OpenDialog =
  | { readonly name: 'edit'; readonly organisation: null }
  | { readonly name: DialogName; readonly organisation: Organisation }

function OrganisationCards() {
  const may = useMay()
  const [opened, setOpened] = useState<OpenDialog | null>(null)
  const archive = useToggleArchived()
  const { organisations, term, page, pages, goTo } = useOrganisationPage()
  if (organisations.data === undefined)
    return (
      <QueryPlaceholder of={organisations}>
        <SkeletonCards count={3} height={148} />
      </QueryPlaceholder>
    )
  const shown = organisations.data.rows
  return (
    <>
      {may('manageOrganisations') ? (
        <div className={css.toolbar}>
          <Button leftSection={<IconPlus />} onClick={() => setOpened({ name: 'edit', organisation: null })}>
            Add organisation
          </Button>
        </div>
      ) : null}
      <MutationError of={archive} />
      {shown.length === 0 ? <EmptyState kind="noMatch" title={`No organisation matches '${term}'.`} /> : null}
      <CardGrid label="Organisations">
        {shown.map((organisation) => (
          <OrganisationCard
            key={organisation.Id}
            organisation={organisation}
            onOpen={(name) => setOpened({ name, organisation })}
            onArchive={() => archive.mutate(organisation)}
          />
        ))}
      </CardGrid>
      <Pager label="Pages of organisations" page={page} pages={pages} onPage={goTo} />
      {opened === null ? null : <OrganisationDialogOf opened={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function OrganisationDialogOf({ opened, onClose }: { opened: OpenDialog; onClose: () => void }) {
  const { edit: LazyOrganisationDialog } = dialogs
  if (opened.organisation === null) return <LazyOrganisationDialog organisation={null} onClose={onClose} />
  const LazyDialog = dialogs[opened.name]
  return <LazyDialog organisation={opened.organisation} onClose={onClose} />
}

interface OrganisationCardProps {
  organisation: Organisation
  onOpen: (name: DialogName) => void
  onArchive: () => void
}

function OrganisationCard({ organisation, onOpen, onArchive }: OrganisationCardProps) {
  const { Id, CompanyName, Key, TimeZone, Archived, RequireMultiFactorAuthentication } = organisation
  const titleId = `organisation-${Id}`
  return (
    <RecordCard
      titleId={titleId}
      mark={<ConnectorIcon name={CompanyName} />}
      title={CompanyName}
      subtitle={Key}
      badge={<StatusBadge {...recordStatusBadge(Archived ? 'archived' : 'active')} />}
      footer={<CardActions organisation={organisation} titleId={titleId} onOpen={onOpen} onArchive={onArchive} />}
    >
      <p className="small subtle">{TimeZone}</p>
      {RequireMultiFactorAuthentication ? (
        <p className={css.policy}>
          <IconShieldLock /> Requires multi-factor authentication
        </p>
      ) : null}
    </RecordCard>
  )
}

/** One row of buttons: the further actions of a role that has more than one are behind `More actions`. */
function CardActions({ organisation, titleId, onOpen, onArchive }: OrganisationCardProps & { titleId: string }) {
  const may = useMay()
  const further: MenuItem[] = [
    { label: 'Share of runs', icon: <IconChartBar />, onSelect: () => onOpen('share') },
    ...(may('manageDataServers')
      ? [{ label: 'Warehouse', icon: <IconDatabase />, onSelect: () => onOpen('warehouse') }]
      : []),
    ...(may('manageOrganisations')
      ? [
          organisation.Archived
            ? { label: 'Restore', icon: <IconArrowBackUp />, onSelect: onArchive }
            : { label: 'Archive', icon: <IconArchive />, onSelect: onArchive },
        ]
      : []),
  ]
  const button = (label: string, onClick: () => void) => (
    <Button key={label} variant="default" px={12} aria-describedby={titleId} onClick={onClick}>
      {label}
    </Button>
  )
  return (
    <>
      {button('Edit', () => onOpen('edit'))}
      {button('Ready by', () => onOpen('readyBy'))}
      {further.length > 1 ? (
        <MoreActions describedBy={titleId} size={36} items={further} />
      ) : (
        further.map(({ label, onSelect }) => button(label, onSelect))
      )}
    </>
  )
}

/** Needs no confirmation, because nothing is lost and the same button undoes it. */
function useToggleArchived() {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: ({ Id, Archived }: Organisation) =>
      call('POST /organisations/:clientId/archive', { params: { clientId: Id }, body: { archived: !Archived } }),
    onSuccess: async (saved) => {
      await invalidate(organisationList)
      announceToScreenReader(
        saved.Archived
          ? `${saved.CompanyName} is archived. Its members cannot work in it and nothing runs.`
          : `${saved.CompanyName} is active again.`,
      )
    },
  })
}
