/** Security groups sorted by name, with their actions. */
import type { PermissionGroup } from '@tributary/contract/groups'
import { Button } from '@mantine/core'
import { IconCopy, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { type TableColumn, DataTable, type SortOrder } from '../../ui/tables/data-table.tsx'
import { RowActions, RowButton } from '../../ui/tables/row-actions.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { sortBy } from '../../domain/link-editor/links.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { NoSearchMatch, SearchBox, useSearchTerm } from '../../ui/forms/search-box.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { recordStatusBadge } from '../../domain/records/record-status.ts'
import { useCsvExport } from '../../domain/records/use-csv-export.ts'
import { lazyDialog } from '../../ui/lazy.tsx'
import { MissingHere } from '../../domain/structure-map/gap-list.tsx'
import { recordDescriptions } from '../../domain/structure-map/record-descriptions.ts'
import { structureMap } from '../../api/queries/planning-structure.ts'
import { OpenMapButton } from '../../domain/structure-map/open-map-button.tsx'
import { discardDraft, listDrafts } from './group-draft.ts'
import { groupList } from './api.ts'
import css from './groups.module.css'
import { useDraftOwner } from './use-group-draft.ts'
import { copyOfGroup, newGroup, useWizardSearchParams } from './wizard-search-params.ts'
import { formatCount } from '../../ui/formats.ts'

const LazyDeleteGroupDialog = lazyDialog(() => import('./delete-group-dialog.tsx'), 'DeleteGroupDialog')
const LazyGroupStatusDialog = lazyDialog(() => import('./group-status-dialog.tsx'), 'GroupStatusDialog')

type OpenGroupDialog = { readonly what: 'status' | 'delete'; readonly group: PermissionGroup }

export function GroupList() {
  const orgId = useOrganisationId()
  const mayEdit = useMay()('editStructure')
  const { open } = useWizardSearchParams()
  const groups = useQuery(groupList(orgId))
  return (
    <>
      <div className={css.toolbar}>
        {mayEdit ? (
          <Button leftSection={<IconPlus />} onClick={() => open(newGroup)}>
            Create Security Group
          </Button>
        ) : null}
        <div className={css.search}>
          <SearchBox label="Search security groups" />
        </div>
      </div>
      {mayEdit ? <UnsavedDrafts /> : null}
      <QueryResult query={groups} loading={<SkeletonLines count={8} height={44} />}>
        {(found) =>
          found.length === 0 ? (
            <NoGroups mayEdit={mayEdit} />
          ) : (
            <>
              <GroupTable groups={found} />
              <MissingHere kinds={groupGaps} />
            </>
          )
        }
      </QueryResult>
    </>
  )
}

const groupGaps = ['groupsWithoutGrants', 'groupsWithoutMembers', 'areasWithoutGroup', 'versionsWithoutGroup'] as const

function NoGroups({ mayEdit }: { mayEdit: boolean }) {
  const map = useQuery({ ...structureMap(useOrganisationId()), enabled: mayEdit })
  const title = 'There are no security groups yet.'
  if (map.data?.Areas === 0 && map.data.Versions === 0)
    return (
      <EmptyState kind="first" title={title} action={<OpenMapButton />}>
        {recordDescriptions.group} Areas and versions come first.
      </EmptyState>
    )
  return (
    <EmptyState kind="first" title={title}>
      {recordDescriptions.group}{' '}
      {mayEdit ? "Press 'Create Security Group' to begin." : 'An administrator of your organisation can create some.'}
    </EmptyState>
  )
}

/** Unsaved drafts of this tab. */
function UnsavedDrafts() {
  const owner = useDraftOwner()
  const { open } = useWizardSearchParams()
  const [drafts, setDrafts] = useState(() => listDrafts(owner))
  if (drafts.length === 0) return null
  const notes = drafts.map(({ of, name }) => (
    <Callout
      key={of}
      tone="info"
      title={`You have not saved the security group ${name === '' ? 'without a name' : `'${name}'`}.`}
    >
      <span className={css.noteButtons}>
        <Button variant="default" size="compact-sm" onClick={() => open(of)}>
          Continue
        </Button>
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            discardDraft(owner, of)
            setDrafts(listDrafts(owner))
          }}
        >
          Discard
        </Button>
      </span>
    </Callout>
  ))
  return <div className={css.drafts}>{notes}</div>
}

function GroupTable({ groups }: { groups: readonly PermissionGroup[] }) {
  const [order, setOrder] = useState<SortOrder>('asc')
  const [opened, setOpened] = useState<OpenGroupDialog | null>(null)
  const term = useSearchTerm()
  const exportCsv = useCsvExport()
  const columns = useGroupColumns(setOpened)
  const found = sortBy(({ Name }) => Name, groups, order).filter(({ Name }) => Name.toLowerCase().includes(term))
  const close = () => setOpened(null)
  if (found.length === 0) return <NoSearchMatch title={`None of the security groups matches '${term}'.`} />
  return (
    <>
      <DataTable
        caption="Security Groups"
        name="securityGroups"
        summary={found.length === 1 ? '1 security group' : `${formatCount(found.length)} security groups`}
        exporting={{ start: () => exportCsv('security groups', exportedRows(found)) }}
        columns={columns}
        rows={found}
        rowKey={({ Id }) => Id}
        sort={{ order, onToggle: () => setOrder(order === 'asc' ? 'desc' : 'asc') }}
      />
      {opened?.what === 'status' ? <LazyGroupStatusDialog group={opened.group} onClose={close} /> : null}
      {opened?.what === 'delete' ? <LazyDeleteGroupDialog group={opened.group} onClose={close} /> : null}
    </>
  )
}

function useGroupColumns(onOpen: (opened: OpenGroupDialog) => void): readonly TableColumn<PermissionGroup>[] {
  const may = useMay()
  const { open } = useWizardSearchParams()
  const mayEdit = may('editStructure')
  const nameId = ({ Id }: PermissionGroup) => `group-${Id}`
  const status = (group: PermissionGroup) => {
    const badge = <StatusBadge {...recordStatusBadge(group.Status.Name)} />
    if (!mayEdit) return badge
    return (
      <button
        type="button"
        className={css.status}
        aria-describedby={nameId(group)}
        onClick={() => onOpen({ what: 'status', group })}
      >
        {badge}
        <span className="visually-hidden">Edit Status</span>
      </button>
    )
  }
  const shown: readonly TableColumn<PermissionGroup>[] = [
    { title: 'Name', cell: (group) => <span id={nameId(group)}>{group.Name}</span> },
    { title: 'Members', cell: ({ Members }) => formatCount(Members), isNumber: true },
    { title: 'Status', cell: status },
  ]
  if (!mayEdit) return shown
  const manage = (group: PermissionGroup) => (
    <RowActions
      describedBy={nameId(group)}
      menu={[{ label: 'Duplicate', icon: <IconCopy />, onSelect: () => open(copyOfGroup(group.Id)) }]}
    >
      <RowButton describedBy={nameId(group)} onClick={() => open(group.Id)}>
        Edit
      </RowButton>
      {may('deleteStructure') ? (
        <RowButton describedBy={nameId(group)} isDanger onClick={() => onOpen({ what: 'delete', group })}>
          Delete
        </RowButton>
      ) : null}
    </RowActions>
  )
  return [...shown, { title: 'Manage', isActions: true, cell: manage }]
}

function exportedRows(groups: readonly PermissionGroup[]): readonly (readonly string[])[] {
  const lines = groups.map(({ Name, Members, Status }) => [Name, String(Members), recordStatusBadge(Status.Name).label])
  return [['Name', 'Members', 'Status'], ...lines]
}
