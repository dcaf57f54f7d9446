/** Versions with the tables named after them, and their milestones. */
import type { Milestone, PlanVersion } from '@tributary/contract/planning-records'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { call, callPage } from '../../api/call.ts'
import { useUrlParams, useUpdateUrlParams } from '../../ui/hooks/search-params.ts'
import { lazyDialog } from '../../ui/lazy.tsx'
import { RowButton } from '../../ui/tables/row-actions.tsx'
import css from './planning-structure.module.css'
import { describeLostGrants } from './deletion-effects.ts'
import { recordDescriptions } from '../../domain/structure-map/record-descriptions.ts'
import type { ListedRecordKind } from './record-kind.ts'
import { useMilestoneRows } from './milestone-rows.tsx'
import { milestoneKind } from './milestone-kind.ts'
import { recordNameId, RecordPage } from './record-page.tsx'
import { focusOnMount } from '../../ui/hooks/focus-on-mount.ts'
import type { OpenRecordDialog } from './record-dialog.tsx'
import { tableNameColumns, tableNameTitles, versionTableNames } from './table-names.tsx'

const LazyRecordDialog = lazyDialog(() => import('./record-dialog.tsx'), 'RecordDialog')

const versionKind: ListedRecordKind<PlanVersion> = {
  key: 'versions',
  one: 'version',
  many: 'versions',
  about: recordDescriptions.version,
  gaps: ['versionsWithoutMilestones', 'versionsWithoutTable', 'versionsWithoutGroup'],
  addLabel: 'Add new Version(s)',
  nameLabel: 'Name',
  statuses: ['active', 'locked', 'archived'],
  deleteCapability: 'deleteStructure',
  list: (query, request) => callPage('GET /versions', { query: { ...query, archived: 'true' }, ...request }),
  add: (name, comOrganisationId) => call('POST /versions', { body: { name, comOrganisationId } }),
  change: (versionId, body) => call('POST /versions/:versionId', { params: { versionId }, body }),
  remove: (versionId) => call('DELETE /versions/:versionId', { params: { versionId }, body: { name: 'del' } }),
  describeDeletion: ({ Milestones, GroupCount }) =>
    `${countMilestones(Milestones.length)} will be deleted with it. ${describeLostGrants(GroupCount)} Loaded rows stay in the database.`,
  tableNames: versionTableNames,
  exportColumns: [
    { title: 'Milestones', text: ({ Milestones }) => Milestones.map(({ Name }) => Name).join('; ') },
    { title: tableNameTitles.excel, text: ({ Name }) => versionTableNames(Name).full.excel },
    { title: tableNameTitles.sql, text: ({ Name }) => versionTableNames(Name).full.sql },
  ],
}

const versionColumns = tableNameColumns<PlanVersion>(({ Name }) => versionTableNames(Name))

type OpenMilestoneDialog = OpenRecordDialog<Milestone> & { readonly versionId: string }

export function VersionsPage() {
  const expanded = useExpandedVersions()
  const [added, setAdded] = useState<string | null>(null)
  const [opened, setOpened] = useState<OpenMilestoneDialog | null>(null)
  const milestoneRows = useMilestoneRows((what, row) => setOpened({ what, row, versionId: row.VersionId }))
  return (
    <>
      <RecordPage
        kind={versionKind}
        title="Versions"
        columns={versionColumns}
        renderAfterName={(version) => (
          <MilestonesToggle
            version={version}
            isOpen={expanded.has(version.Id)}
            onToggle={() => expanded.toggle(version.Id)}
          />
        )}
        renderActions={(version) => (
          <AddMilestoneButton
            version={version}
            isNew={version.Id === added}
            onClick={() => setOpened({ what: 'add', versionId: version.Id })}
          />
        )}
        subrows={(version) => (expanded.has(version.Id) ? milestoneRows(version) : [])}
        renderDetail={({ Id, Milestones }) =>
          expanded.has(Id) && Milestones.length === 0 ? (
            <p className={css.none}>This version has no milestones yet.</p>
          ) : null
        }
        onAdded={(rows) => setAdded(rows.length === 1 ? (rows[0]?.Id ?? null) : null)}
      />
      {opened === null ? null : (
        <LazyRecordDialog
          kind={milestoneKind(opened.versionId)}
          opened={opened}
          onClose={() => setOpened(null)}
          onAdded={([first]) => first !== undefined && expanded.open(first.VersionId)}
        />
      )}
    </>
  )
}

/** Gets the focus for a new version, because adding milestones is the usual next step. */
function AddMilestoneButton({
  version,
  isNew,
  onClick,
}: {
  version: PlanVersion
  isNew: boolean
  onClick: () => void
}) {
  return (
    <RowButton ref={isNew ? focusOnMount : undefined} describedBy={recordNameId(version)} onClick={onClick}>
      Add Milestone
    </RowButton>
  )
}

function MilestonesToggle({
  version,
  isOpen,
  onToggle,
}: {
  version: PlanVersion
  isOpen: boolean
  onToggle: () => void
}) {
  return (
    <button
      type="button"
      className={css.expander}
      aria-expanded={isOpen}
      aria-describedby={recordNameId(version)}
      onClick={onToggle}
    >
      <IconChevronRight size={14} />
      {countMilestones(version.Milestones.length)}
    </button>
  )
}

function countMilestones(count: number): string {
  return count === 1 ? '1 milestone' : `${count} milestones`
}

const expandedIn = (address: URLSearchParams): ReadonlySet<string> => new Set(address.get('open')?.split(','))

/** Ids of the expanded versions, kept in the URL, so that a view can be shared as a link. */
function useExpandedVersions() {
  const ids = expandedIn(useUrlParams())
  const changeAddress = useUpdateUrlParams()
  function show(nextOf: (ids: ReadonlySet<string>) => ReadonlySet<string>) {
    changeAddress(
      (current) => {
        const next = nextOf(expandedIn(current))
        if (next.size === 0) current.delete('open')
        else current.set('open', [...next].join(','))
        return current
      },
      { replace: true },
    )
  }
  return {
    has: (id: string) => ids.has(id),
    open: (id: string) => show((ids) => ids.union(new Set([id]))),
    toggle: (id: string) => show((ids) => ids.symmetricDifference(new Set([id]))),
  }
}
