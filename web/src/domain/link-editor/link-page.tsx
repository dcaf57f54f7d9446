/** The page of one kind of link: the list of what is linked, and the editor that its address opens over it. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useCallback, useState } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { useAddress, useChangeAddress } from '../../ui/hooks/search-params.ts'
import { announce } from '../../ui/feedback/toasts.tsx'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { SearchBox } from '../../ui/forms/search-box.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { LinkEditor } from './link-editor.tsx'
import css from './link-editor.module.css'
import { type LinkKind, type LinkLists, type SaveLinks, wholeOf } from './link-kind.ts'
import { LinkTable } from './link-table.tsx'
import type { LinkItem, Links, LinkSubject } from './links.ts'
import { editParameter } from './use-unsaved-changes.ts'
import { ViewSwitch } from './view-switch.tsx'

interface LinkPageProps {
  kind: LinkKind
  lists: LinkLists
  save: SaveLinks
  mayEdit: boolean
  /** Beside Edit, for each subject. */
  actions?: (subject: LinkSubject) => ReactNode
  /** Instead of the list. */
  children?: ReactNode
}

/** Where the title is not the page's name it stands above as the breadcrumb. */
export function LinkPage(props: LinkPageProps) {
  const { section, title } = props.kind
  return (
    <Page title={section ?? title}>
      {section === undefined ? null : <Breadcrumb crumbs={[{ label: title }]} />}
      <Content {...props} />
    </Page>
  )
}

function Content(props: LinkPageProps) {
  const { kind, lists, mayEdit, children } = props
  const { edited, open } = useEdited()
  const { subjects, objects, error, retry } = lists
  if (subjects === undefined || objects === undefined)
    return error === null ? (
      <SkeletonLines count={8} height={44} />
    ) : (
      <LoadFailure message={messageOf(error)} onRetry={retry} />
    )
  const loaded = { ...props, subjects, objects, onOpen: open }
  if (edited !== null && mayEdit) return <Editing {...loaded} subjectId={edited} />
  return (
    <>
      <div className={css.toolbar}>
        {mayEdit ? (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open(newOne)}>
            {kind.words.create}
          </Button>
        ) : null}
        <div className={css.pageSearch}>
          <SearchBox label={`Search ${kind.subjects.title.toLowerCase()}`} />
        </div>
        <ViewSwitch views={kind.views} />
      </div>
      {children ?? <LinkTable {...loaded} onEdit={open} />}
    </>
  )
}

interface EditingProps extends LinkPageProps {
  subjects: readonly LinkSubject[]
  objects: readonly LinkItem[]
  subjectId: string
  onOpen: (id: string | null) => void
}

function Editing({ kind, subjects, objects, subjectId: opened, save, lists, onOpen }: EditingProps) {
  // The address follows: whoever types on must not wait for it.
  const [subjectId, setSubjectId] = useState(opened === newOne ? null : opened)
  const onBack = useCallback(() => onOpen(null), [onOpen])
  const saving = useMutation({
    mutationFn: ({ subject, after }: { subject: LinkSubject; after: Links }) =>
      save(subject.id, wholeOf(after, subject.links)),
    onSuccess: (_, { subject }) => announce(`${subject.name} is saved.`),
    // Somebody may have saved in between: what they left is what the draft is then compared with.
    onError: () => lists.retry(),
  })
  return (
    <LinkEditor
      subjects={{ ...kind.subjects, items: subjects }}
      objects={{ ...kind.objects, items: objects }}
      subjectId={subjectId}
      onSubject={(id) => {
        setSubjectId(id)
        onOpen(id ?? newOne)
      }}
      applies={kind.applies}
      words={kind.words}
      isSaving={saving.isPending}
      error={saving.error === null ? null : messageOf(saving.error)}
      onDismiss={saving.reset}
      onSave={(subject, after, onStored) => saving.mutate({ subject, after }, { onSuccess: onStored })}
      savedId={saving.isSuccess ? saving.variables.subject.id : null}
      onBack={onBack}
    />
  )
}

/** In the address: the editor is open, and nothing is chosen yet. */
const newOne = 'new'

/** What the editor is open for, so that a reload and the way back find it. */
function useEdited() {
  const edited = useAddress().get(editParameter)
  const changeAddress = useChangeAddress()
  const isOpen = edited !== null
  const open = useCallback(
    // Choosing another subject is no step that one would go back over.
    (id: string | null) => changeAddress({ [editParameter]: id }, { replace: isOpen }),
    [changeAddress, isOpen],
  )
  return { edited, open }
}
