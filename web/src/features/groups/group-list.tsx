/** The security groups, by name, and what may be done with each. */
import type { PermissionGroup } from '@tributary/contract/groups'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { type Column, count, DataTable, type SortOrder } from '../../ui/tables/data-table.tsx'
import { EmptyState, LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { sortedBy } from '../../domain/link-editor/links.ts'
import { Note } from '../../ui/feedback/callout.tsx'
import { SearchBox, useClearSearch, useSearchTerm } from '../../ui/forms/search-box.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { statusLook } from '../../domain/records/record-status.ts'
import { laterDialog } from '../../ui/later.tsx'
import { forgetDraft, listDrafts } from './group-draft.ts'
import { allGroups } from './api.ts'
import css from './groups.module.css'
import { useDraftOwner } from './use-group-draft.ts'
import { copyOf, newGroup, useWizardAddress } from './wizard-search-params.ts'

const DeleteGroupDialog = laterDialog(async () => (await import('./delete-group-dialog.tsx')).DeleteGroupDialog)
const StatusDialog = laterDialog(async () => (await import('./group-status-dialog.tsx')).StatusDialog)

type Opened = { readonly what: 'status' | 'delete'; readonly group: PermissionGroup }

export function GroupList() {
  const orgId = useWorkspace().organisation.Id
  const mayEdit = useMay()('editStructure')
  const { open } = useWizardAddress()
  const { data, error, refetch } = useQuery(allGroups(orgId))
  return (
    <>
      <div className={css.toolbar}>
        {mayEdit ? (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open(newGroup)}>
            Create Security Group
          </Button>
        ) : null}
        <div className={css.search}>
          <SearchBox label="Search security groups" />
        </div>
      </div>
      {mayEdit ? <Unfinished /> : null}
      {data === undefined && error !== null ? (
        <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
      ) : null}
      {data === undefined && error === null ? <SkeletonLines count={8} height={44} /> : null}
      {data?.length === 0 ? (
        <EmptyState kind="first" title="There are no security groups yet.">
          {mayEdit
            ? "Press 'Create Security Group' to begin."
            : 'An administrator of your organisation can create some.'}
        </EmptyState>
      ) : null}
      {data === undefined || data.length === 0 ? null : <GroupTable groups={data} />}
    </>
  )
}

/** What was begun in this tab and not saved. */
function Unfinished() {
  const owner = useDraftOwner()
  const { open } = useWizardAddress()
  const [drafts, setDrafts] = useState(() => listDrafts(owner))
  if (drafts.length === 0) return null
  const notes = drafts.map(({ of, name }) => (
    <Note
      key={of}
      tone="info"
      title={`You have not saved the security group ${name === '' ? 'without a name' : `'${name}'`}.`}
    >
      <span className={css.noteButtons}>
        <Button variant="default" size="compact-sm" onClick={() => open(of)}>
          Go on
        </Button>
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            forgetDraft(owner, of)
            setDrafts(listDrafts(owner))
          }}
        >
          Discard
        </Button>
      </span>
    </Note>
  ))
  return <div className={css.drafts}>{notes}</div>
}

function GroupTable({ groups }: { groups: readonly PermissionGroup[] }) {
  const [order, setOrder] = useState<SortOrder>('asc')
  const [opened, setOpened] = useState<Opened | null>(null)
  const term = useSearchTerm()
  const clear = useClearSearch()
  const columns = useColumns(setOpened)
  const found = sortedBy(({ Name }) => Name, groups, order).filter(({ Name }) => Name.toLowerCase().includes(term))
  const close = () => setOpened(null)
  if (found.length === 0) {
    return (
      <EmptyState
        kind="noMatch"
        title={`None of the security groups matches '${term}'.`}
        action={
          <Button variant="default" onClick={clear}>
            Clear search
          </Button>
        }
      />
    )
  }
  return (
    <>
      <output className={css.count}>
        {found.length === 1 ? '1 security group' : `${count(found.length)} security groups`}
      </output>
      <DataTable
        caption="Security Groups"
        columns={columns}
        rows={found}
        rowKey={({ Id }) => Id}
        sort={{ order, onToggle: () => setOrder(order === 'asc' ? 'desc' : 'asc') }}
      />
      {opened?.what === 'status' ? <StatusDialog group={opened.group} onClose={close} /> : null}
      {opened?.what === 'delete' ? <DeleteGroupDialog group={opened.group} onClose={close} /> : null}
    </>
  )
}

function useColumns(onOpen: (opened: Opened) => void): readonly Column<PermissionGroup>[] {
  const may = useMay()
  const { open } = useWizardAddress()
  const mayEdit = may('editStructure')
  const nameId = ({ Id }: PermissionGroup) => `group-${Id}`
  const status = (group: PermissionGroup) => {
    const badge = <StatusBadge {...statusLook(group.Status.Name)} />
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
  const shown: readonly Column<PermissionGroup>[] = [
    { title: 'Name', cell: (group) => <span id={nameId(group)}>{group.Name}</span> },
    { title: 'Members', cell: ({ Members }) => count(Members), isNumber: true },
    { title: 'Status', cell: status },
  ]
  if (!mayEdit) return shown
  const manage = (group: PermissionGroup) => (
    <span className={css.manage}>
      <Button variant="default" size="compact-sm" aria-describedby={nameId(group)} onClick={() => open(group.Id)}>
        Edit
      </Button>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-describedby={nameId(group)}
        onClick={() => open(copyOf(group.Id))}
      >
        Duplicate
      </Button>
      {may('deleteStructure') ? (
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          aria-describedby={nameId(group)}
          onClick={() => onOpen({ what: 'delete', group })}
        >
          Delete
        </Button>
      ) : null}
    </span>
  )
  return [...shown, { title: 'Manage', cell: manage }]
}
