/** Versions, each with the tables named after it, and with its milestones below it. */
import type { Milestone, Version } from '@tributary/contract/planning-records'
import { Button } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { call, callPage } from '../../api/call.ts'
import { useAddress, useChangeAddress } from '../../ui/hooks/search-params.ts'
import { laterDialog } from '../../ui/later.tsx'
import css from './planning-structure.module.css'
import { grantsGone } from './lost-grants.ts'
import type { ListedKind } from './record-kind.ts'
import { MilestoneList } from './milestone-list.tsx'
import { milestonesOf } from './milestone-kind.ts'
import { nameId, RecordPage } from './record-page.tsx'
import { tableColumns, tableTitles, versionTables } from './table-names.tsx'

const RecordDialog = laterDialog(async () => (await import('./record-dialog.tsx')).RecordDialog)

const versions: ListedKind<Version> = {
  key: 'versions',
  one: 'version',
  many: 'versions',
  adding: 'Add new Version(s)',
  nameLabel: 'Name',
  statuses: ['active', 'locked', 'archived'],
  deletion: 'deleteStructure',
  list: (ask, signal) => callPage('GET /versions', { query: { ...ask, archived: 'true' }, ...(signal && { signal }) }),
  add: (name, comOrganisationId) => call('POST /versions', { body: { name, comOrganisationId } }),
  change: (versionId, body) => call('POST /versions/:versionId', { params: { versionId }, body }),
  remove: (versionId) => call('DELETE /versions/:versionId', { params: { versionId }, body: { name: 'del' } }),
  goesWith: ({ Milestones, GroupCount }) =>
    `${countMilestones(Milestones.length)} will be deleted with it. ${grantsGone(GroupCount)} Rows that were loaded stay in the database.`,
  tablesOf: versionTables,
  exported: [
    { title: 'Milestones', text: ({ Milestones }) => Milestones.map(({ Name }) => Name).join('; ') },
    { title: tableTitles.excel, text: ({ Name }) => versionTables(Name).full.excel },
    { title: tableTitles.sql, text: ({ Name }) => versionTables(Name).full.sql },
  ],
}

const columns = tableColumns<Version>(({ Name }) => versionTables(Name))

type Opened =
  | { readonly what: 'add'; readonly versionId: string }
  | { readonly what: 'edit' | 'delete'; readonly milestone: Milestone }

export function VersionsPage() {
  const expanded = useExpanded()
  const [added, setAdded] = useState<string | null>(null)
  const [opened, setOpened] = useState<Opened | null>(null)
  return (
    <>
      <RecordPage
        kind={versions}
        title="Versions"
        columns={columns}
        renderBeside={(version) => (
          <Expander version={version} isOpen={expanded.has(version.Id)} onToggle={() => expanded.toggle(version.Id)} />
        )}
        renderActions={(version) => (
          <AddMilestoneButton
            version={version}
            isNew={version.Id === added}
            onClick={() => setOpened({ what: 'add', versionId: version.Id })}
          />
        )}
        renderDetail={(version) =>
          expanded.has(version.Id) ? (
            <MilestoneList
              version={version}
              onEdit={(milestone) => setOpened({ what: 'edit', milestone })}
              onDelete={(milestone) => setOpened({ what: 'delete', milestone })}
            />
          ) : null
        }
        onAdded={(rows) => setAdded(rows.length === 1 ? (rows[0]?.Id ?? null) : null)}
      />
      <MilestoneDialog
        opened={opened}
        onClose={() => setOpened(null)}
        onAdded={([first]) => first !== undefined && expanded.open(first.VersionId)}
      />
    </>
  )
}

interface MilestoneDialogProps {
  opened: Opened | null
  onClose: () => void
  onAdded: (milestones: readonly Milestone[]) => void
}

function MilestoneDialog({ opened, onClose, onAdded }: MilestoneDialogProps) {
  if (opened === null) return null
  const { versionId, ...record } =
    opened.what === 'add' ? opened : { what: opened.what, row: opened.milestone, versionId: opened.milestone.VersionId }
  return <RecordDialog kind={milestonesOf(versionId)} opened={record} onClose={onClose} onAdded={onAdded} />
}

/** Who has just added a version goes on with its milestones. */
function AddMilestoneButton({ version, isNew, onClick }: { version: Version; isNew: boolean; onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isNew) button.current?.focus()
  }, [isNew])
  return (
    <Button ref={button} variant="default" size="compact-sm" aria-describedby={nameId(version)} onClick={onClick}>
      Add Milestone
    </Button>
  )
}

function Expander({ version, isOpen, onToggle }: { version: Version; isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      className={css.expander}
      aria-expanded={isOpen}
      aria-describedby={nameId(version)}
      onClick={onToggle}
    >
      <IconChevronRight size={14} aria-hidden />
      {countMilestones(version.Milestones.length)}
    </button>
  )
}

function countMilestones(count: number): string {
  return count === 1 ? '1 milestone' : `${count} milestones`
}

const openIn = (address: URLSearchParams): ReadonlySet<string> => new Set(address.get('open')?.split(','))

/** Which versions stand open is in the address, so that a view can be passed on. */
function useExpanded() {
  const ids = openIn(useAddress())
  const changeAddress = useChangeAddress()
  function show(nextOf: (ids: ReadonlySet<string>) => ReadonlySet<string>) {
    changeAddress(
      (current) => {
        const next = nextOf(openIn(current))
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
