/** Who or what has links, with what is linked to each. */
import { Button } from '@mantine/core'
import { IconDownload, IconInfinity } from '@tabler/icons-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { useAddress, useChangeAddress } from '../../ui/hooks/search-params.ts'
import { tell } from '../../ui/feedback/toasts.tsx'
import { csv } from '../../ui/files/csv.ts'
import { type Column, count, DataTable, type SortOrder } from '../../ui/tables/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { saveFile } from '../../ui/files/download.ts'
import { useSearchTerm } from '../../ui/forms/search-box.tsx'
import css from './link-editor.module.css'
import { type LinkKind, type SaveLinks, wholeOf } from './link-kind.ts'
import { countOf, has, type LinkItem, type Links, type LinkSubject, matching, sorted } from './links.ts'

const pageSize = 50
const namedMax = 8

interface LinkTableProps {
  kind: LinkKind
  subjects: readonly LinkSubject[]
  objects: readonly LinkItem[]
  save: SaveLinks
  mayEdit: boolean
  onEdit: (id: string) => void
  actions?: (subject: LinkSubject) => ReactNode
}

export function LinkTable(props: LinkTableProps) {
  const { kind, subjects, objects, save } = props
  const [order, setOrder] = useState<SortOrder>('asc')
  const { page, goTo } = usePage()
  const term = useSearchTerm()
  const region = useRef<HTMLDivElement>(null)
  const named = useMemo(() => sorted(objects, 'asc'), [objects])
  const linked = useMemo(() => subjects.filter(({ links }) => links.all || links.ids.size > 0), [subjects])
  const found = useMemo(() => sorted(matching(linked, term), order), [linked, term, order])
  const removal = useRemoval(kind, save, objects, () => region.current?.focus())
  const pages = Math.ceil(found.length / pageSize)
  const shown = Math.min(page, pages)
  return (
    <section ref={region} tabIndex={-1} className={css.region} aria-label={kind.title}>
      <ErrorBanner message={removal.error === null ? null : messageOf(removal.error)} onDismiss={removal.reset} />
      {found.length === 0 ? (
        <Nothing {...props} isFirst={linked.length === 0} term={term} />
      ) : (
        <>
          <div className={css.above}>
            <output className="small subtle">{`${count(found.length)} of ${count(subjects.length)} ${kind.subjects.title.toLowerCase()}`}</output>
            <ExportButton kind={kind} rows={found} objects={named} />
          </div>
          <DataTable
            caption={kind.title}
            columns={columnsOf(props, named, removal.mutate)}
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

function Nothing({
  kind,
  mayEdit,
  isFirst,
  term,
}: Pick<LinkTableProps, 'kind' | 'mayEdit'> & { isFirst: boolean; term: string }) {
  if (!isFirst)
    return <EmptyState kind="noMatch" title={`None of the ${kind.subjects.title.toLowerCase()} matches '${term}'.`} />
  return (
    <EmptyState kind="first" title="Nothing is linked yet.">
      {mayEdit ? `Press '${kind.words.create}' to begin.` : 'An administrator of your organisation can link some.'}
    </EmptyState>
  )
}

function usePage() {
  const address = useAddress()
  const changeAddress = useChangeAddress()
  return {
    page: Math.max(1, Number(address.get('page') ?? 1) || 1),
    goTo: (page: number) => changeAddress({ page: String(page) }),
  }
}

type Remove = (subject: LinkSubject) => void

function columnsOf(
  props: LinkTableProps,
  objects: readonly LinkItem[],
  remove: Remove,
): readonly Column<LinkSubject>[] {
  const { kind, mayEdit, onEdit, actions } = props
  const shown: readonly Column<LinkSubject>[] = [
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
      cell: ({ id, links }) => <Linked kind={kind} subjectId={id} links={links} objects={objects} />,
    },
  ]
  if (!mayEdit) return shown
  const manage = (subject: LinkSubject) => (
    <span className={css.manage}>
      {actions?.(subject)}
      <Button
        variant="default"
        size="compact-sm"
        aria-describedby={`subject-${subject.id}`}
        onClick={() => onEdit(subject.id)}
      >
        Edit
      </Button>
      {isRemovable(subject.links, objects) ? (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-describedby={`subject-${subject.id}`}
          onClick={() => remove(subject)}
        >
          {kind.words.remove}
        </Button>
      ) : null}
    </span>
  )
  return [...shown, { title: 'Manage', cell: manage }]
}

interface LinkedProps {
  kind: LinkKind
  subjectId: string
  links: Links
  objects: readonly LinkItem[]
}

function Linked({ kind: { words, shown }, subjectId, links, objects }: LinkedProps) {
  const [isWhole, setWhole] = useState(false)
  const names = objects.filter(({ id }) => has(links, id)).map(({ name }) => name)
  const hidden = isWhole ? 0 : Math.max(0, names.length - (shown?.max ?? namedMax))
  const more = `and ${count(hidden)} more`
  return (
    <span className={css.linked}>
      {words.linked === undefined ? null : <span className={css.before}>{words.linked}</span>}{' '}
      {links.all ? (
        <span className={css.all}>
          <IconInfinity size={16} aria-hidden /> {`All current and future (${count(names.length)} now)`}
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
          onClick={() => setWhole(true)}
        >
          {shown?.more ?? more}
        </button>
      )}
    </span>
  )
}

/** What others hold by a choice of their own stays when all else is removed. */
function fixedOnly(objects: readonly LinkItem[]): Links {
  return { ids: new Set(objects.filter(({ isFixed }) => isFixed === true).map(({ id }) => id)), all: false }
}

function isRemovable(links: Links, objects: readonly LinkItem[]): boolean {
  return links.all || countOf(links, objects) > countOf(fixedOnly(objects), objects)
}

/** Done at once, because it can be taken back as long as the message stands: also from another page, so that a failure is told, too. */
function useRemoval(kind: LinkKind, save: SaveLinks, objects: readonly LinkItem[], onRemoved: () => void) {
  return useMutation({
    mutationFn: async ({ id, name, links }: LinkSubject) => {
      const rest = fixedOnly(objects)
      await save(id, wholeOf(rest, links))
      const undo = () => void save(id, wholeOf(links, rest)).catch((fault: unknown) => tell(messageOf(fault)))
      tell(`${name} ${kind.words.removed}`, { label: 'Undo', act: undo })
    },
    onSuccess: onRemoved,
  })
}

function ExportButton({
  kind,
  rows,
  objects,
}: {
  kind: LinkKind
  rows: readonly LinkSubject[]
  objects: readonly LinkItem[]
}) {
  const { organisation } = useWorkspace()
  function save() {
    const lines = rows.map(({ name, detail = '', links }) => [
      name,
      detail,
      links.all ? 'yes' : 'no',
      objects
        .filter(({ id }) => has(links, id))
        .map((object) => object.name)
        .join('; '),
    ])
    const head = [kind.subjects.title, 'Detail', 'All current and future', kind.objects.title]
    const today = new Date().toISOString().slice(0, 10)
    saveFile(`${organisation.Key}-${kind.title.toLowerCase().replaceAll(' ', '-')}-${today}.csv`, csv([head, ...lines]))
  }
  return (
    <Button variant="default" size="compact-sm" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
      Export CSV
    </Button>
  )
}
