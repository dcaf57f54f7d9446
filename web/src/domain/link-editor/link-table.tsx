/** The table of subjects with the items linked to each. */
import { IconInfinity } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { showToast } from '../../ui/feedback/toasts.tsx'
import type { MenuItem } from '../../ui/overlays/menu-button.tsx'
import { type TableColumn, DataTable, type SortOrder } from '../../ui/tables/data-table.tsx'
import { RowActions, RowButton } from '../../ui/tables/row-actions.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { useSearchTerm } from '../../ui/forms/search-box.tsx'
import css from './link-editor.module.css'
import { type LinkKind, type SaveLinks, toLinkUpdate } from './link-kind.ts'
import { MutationError } from '../requests/mutation-error.tsx'
import { useUrlPage } from '../../ui/hooks/search-params.ts'
import { useCsvExport } from '../records/use-csv-export.ts'
import {
  countLinked,
  isLinked,
  type LinkItem,
  type LinkSelection,
  type LinkSubject,
  searchItems,
  sortByName,
} from './links.ts'
import { formatCount } from '../../ui/formats.ts'

const pageSize = 50
const namesMax = 8

interface LinkTableProps {
  kind: LinkKind
  subjects: readonly LinkSubject[]
  objects: readonly LinkItem[]
  save: SaveLinks
  mayEdit: boolean
  onEdit: (id: string) => void
  /** Further actions of a subject. */
  menu?: (subject: LinkSubject) => readonly MenuItem[]
}

export function LinkTable(props: LinkTableProps) {
  const { kind, subjects, objects, save } = props
  const [order, setOrder] = useState<SortOrder>('asc')
  const { page, goTo } = useUrlPage()
  const term = useSearchTerm()
  const region = useRef<HTMLDivElement>(null)
  const sortedObjects = useMemo(() => sortByName(objects, 'asc'), [objects])
  const linked = useMemo(() => subjects.filter(({ links }) => links.all || links.ids.size > 0), [subjects])
  const found = useMemo(() => sortByName(searchItems(linked, term), order), [linked, term, order])
  const exportCsv = useCsvExport()
  const removal = useRemoval(kind, save, objects, () => region.current?.focus())
  const pages = Math.ceil(found.length / pageSize)
  const shown = Math.min(page, pages)
  return (
    <section ref={region} tabIndex={-1} className={css.region} aria-label={kind.title}>
      <MutationError of={removal} />
      {found.length === 0 ? (
        <EmptyLinkTable {...props} isFirst={linked.length === 0} term={term} />
      ) : (
        <>
          <DataTable
            caption={kind.title}
            summary={`${formatCount(found.length)} of ${formatCount(subjects.length)} ${kind.subjects.title.toLowerCase()}`}
            exporting={{ start: () => exportCsv(kind.title, exportedRows(kind, found, sortedObjects)) }}
            columns={columnsOf(props, sortedObjects, removal.mutate)}
            rows={found.slice((shown - 1) * pageSize, shown * pageSize)}
            rowKey={({ id }) => id}
            sort={{ order, onToggle: () => setOrder(order === 'asc' ? 'desc' : 'asc') }}
          />
          <Pager label={`Pages of ${kind.subjects.title.toLowerCase()}`} page={shown} pages={pages} onPage={goTo} />
        </>
      )}
    </section>
  )
}

function EmptyLinkTable({
  kind: { subjects, words },
  mayEdit,
  isFirst,
  term,
}: Pick<LinkTableProps, 'kind' | 'mayEdit'> & { isFirst: boolean; term: string }) {
  if (!isFirst)
    return <EmptyState kind="noMatch" title={`None of the ${subjects.title.toLowerCase()} matches '${term}'.`} />
  return (
    <EmptyState kind="first" title="Nothing is linked yet.">
      {mayEdit ? `Press '${words.create}' to begin.` : 'An administrator of your organisation can link some.'}
    </EmptyState>
  )
}

type RemoveLinks = (subject: LinkSubject) => void

function columnsOf(
  props: LinkTableProps,
  objects: readonly LinkItem[],
  remove: RemoveLinks,
): readonly TableColumn<LinkSubject>[] {
  const { kind, mayEdit, onEdit, menu } = props
  const shown: readonly TableColumn<LinkSubject>[] = [
    {
      title: 'Name',
      cell: ({ id, name, detail }) => (
        <>
          <span id={`subject-${id}`}>{name}</span>
          {detail === undefined ? null : <span className={css.under}>{detail}</span>}
        </>
      ),
    },
    {
      title: kind.objects.title,
      cell: ({ id, links }) => <LinkedNames kind={kind} subjectId={id} links={links} objects={objects} />,
    },
  ]
  if (!mayEdit) return shown
  const manage = (subject: LinkSubject) => {
    const describedBy = `subject-${subject.id}`
    return (
      <RowActions describedBy={describedBy} {...(menu && { menu: menu(subject) })}>
        <RowButton describedBy={describedBy} onClick={() => onEdit(subject.id)}>
          Edit
        </RowButton>
        <RowButton
          describedBy={describedBy}
          isMissing={!isRemovable(subject.links, objects)}
          onClick={() => remove(subject)}
        >
          {kind.words.remove}
        </RowButton>
      </RowActions>
    )
  }
  return [...shown, { title: 'Manage', isActions: true, cell: manage }]
}

interface LinkedNamesProps {
  kind: LinkKind
  subjectId: string
  links: LinkSelection
  objects: readonly LinkItem[]
}

function LinkedNames({ kind: { words, shown }, subjectId, links, objects }: LinkedNamesProps) {
  const [isExpanded, setExpanded] = useState(false)
  const names = objects.filter(({ id }) => isLinked(links, id)).map(({ name }) => name)
  const hidden = isExpanded ? 0 : Math.max(0, names.length - (shown?.max ?? namesMax))
  const more = `and ${formatCount(hidden)} more`
  return (
    <span className={css.linked}>
      {words.linked === undefined ? null : <span className={css.before}>{words.linked}</span>}{' '}
      {links.all ? (
        <span className={css.all}>
          <IconInfinity /> {`All current and future (${formatCount(names.length)} now)`}
        </span>
      ) : (
        names.slice(0, names.length - hidden).join(', ')
      )}
      {hidden === 0 || links.all ? null : (
        <button
          type="button"
          className={css.more}
          aria-label={more}
          aria-describedby={`subject-${subjectId}`}
          onClick={() => setExpanded(true)}
        >
          {shown?.more ?? more}
        </button>
      )}
    </span>
  )
}

/** The links that remain when all removable ones are removed. */
function fixedOnly(objects: readonly LinkItem[]): LinkSelection {
  return { ids: new Set(objects.filter(({ isFixed }) => isFixed === true).map(({ id }) => id)), all: false }
}

function isRemovable(links: LinkSelection, objects: readonly LinkItem[]): boolean {
  return links.all || countLinked(links, objects) > countLinked(fixedOnly(objects), objects)
}

/**
 * Removes without confirmation, because the toast offers Undo. Undo may run on another page, so its failure is
 * shown as a toast, too.
 */
function useRemoval(kind: LinkKind, save: SaveLinks, objects: readonly LinkItem[], onRemoved: () => void) {
  return useMutation({
    mutationFn: async ({ id, name, links }: LinkSubject) => {
      const remaining = fixedOnly(objects)
      await save(id, toLinkUpdate(remaining, links))
      const undo = () =>
        void save(id, toLinkUpdate(links, remaining)).catch((error: unknown) => showToast(messageOf(error)))
      showToast(`${name} ${kind.words.removed}`, { label: 'Undo', act: undo })
    },
    onSuccess: onRemoved,
  })
}

function exportedRows(
  { subjects, objects }: LinkKind,
  rows: readonly LinkSubject[],
  items: readonly LinkItem[],
): readonly (readonly string[])[] {
  const lines = rows.map(({ name, detail = '', links }) => {
    const linked = items.filter(({ id }) => isLinked(links, id)).map((item) => item.name)
    return [name, detail, links.all ? 'yes' : 'no', linked.join('; ')]
  })
  return [[subjects.title, 'Detail', 'All current and future', objects.title], ...lines]
}
