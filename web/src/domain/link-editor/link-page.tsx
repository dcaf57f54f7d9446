/** The page of one kind of link: the list of links, or the editor if the URL has the `edit` parameter. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useCallback, useState } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { useUrlParams, useUpdateUrlParams } from '../../ui/hooks/search-params.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { SearchBox } from '../../ui/forms/search-box.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { LinkEditor } from './link-editor.tsx'
import css from './link-editor.module.css'
import { type LinkKind, type LinkLists, type SaveLinks, toLinkUpdate } from './link-kind.ts'
import { LinkTable } from './link-table.tsx'
import type { LinkItem, LinkSelection, LinkSubject } from './links.ts'
import { editParameter } from './use-unsaved-changes.ts'
import { ViewSwitch } from './view-switch.tsx'

interface LinkPageProps {
  kind: LinkKind
  lists: LinkLists
  save: SaveLinks
  mayEdit: boolean
  /** Further actions of a subject, next to Edit. */
  actions?: (subject: LinkSubject) => ReactNode
  /** Replaces the list. */
  children?: ReactNode
}

/** On a page of a section the title becomes the breadcrumb. */
export function LinkPage(props: LinkPageProps) {
  const { section, title } = props.kind
  return (
    <Page title={section ?? title}>
      {section === undefined ? null : <Breadcrumb items={[{ label: title }]} />}
      <Content {...props} />
    </Page>
  )
}

function Content(props: LinkPageProps) {
  const { kind, lists, mayEdit, children } = props
  const { edited, open } = useEditedSubject()
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
          <Button leftSection={<IconPlus />} onClick={() => open(newSubject)}>
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
  // Local state, because typing must not wait for the URL, which follows.
  const [subjectId, setSubjectId] = useState(opened === newSubject ? null : opened)
  const onBack = useCallback(() => onOpen(null), [onOpen])
  const saving = useMutation({
    mutationFn: ({ subject, after }: { subject: LinkSubject; after: LinkSelection }) =>
      save(subject.id, toLinkUpdate(after, subject.links)),
    onSuccess: (_, { subject }) => announceToScreenReader(`${subject.name} is saved.`),
    // Another user may have saved meanwhile. The draft is then compared with the refreshed links.
    onError: () => lists.retry(),
  })
  return (
    <LinkEditor
      subjects={{ ...kind.subjects, items: subjects }}
      objects={{ ...kind.objects, items: objects }}
      subjectId={subjectId}
      onSubject={(id) => {
        setSubjectId(id)
        onOpen(id ?? newSubject)
      }}
      applyModes={kind.applyModes}
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

/** Value of the `edit` parameter while no subject is selected. */
const newSubject = 'new'

/** The subject in the editor. The URL holds it, so that reload and back work. */
function useEditedSubject() {
  const edited = useUrlParams().get(editParameter)
  const updateUrl = useUpdateUrlParams()
  const isOpen = edited !== null
  const open = useCallback(
    // Selecting another subject adds no history entry.
    (id: string | null) => updateUrl({ [editParameter]: id }, { replace: isOpen }),
    [updateUrl, isOpen],
  )
  return { edited, open }
}
