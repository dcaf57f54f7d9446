/** The page of one kind of link: the list of links, or the editor if the URL has the `edit` parameter. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { MenuItem } from '../../ui/overlays/menu-button.tsx'
import { useUrlParams, useUpdateUrlParams } from '../../ui/hooks/search-params.ts'
import { QueryPlaceholder } from '../requests/query-placeholder.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { SearchBox } from '../../ui/forms/search-box.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { editParameter, newSubject, unlinkedParameter } from './editor-search-params.ts'
import { MissingHere } from '../structure-map/gap-list.tsx'
import { LinkEditor } from './link-editor.tsx'
import css from './link-editor.module.css'
import type { LinkKind, LinkLists, SaveLinks } from './link-kind.ts'
import { LinkTable } from './link-table.tsx'
import { NoRecords } from './no-records.tsx'
import type { LinkSubject } from './links.ts'
import { ViewSwitch } from './view-switch.tsx'

interface LinkPageProps {
  kind: LinkKind
  lists: LinkLists
  save: SaveLinks
  mayEdit: boolean
  /** Further actions of a subject, in a menu next to Edit. */
  menu?: (subject: LinkSubject) => readonly MenuItem[]
  /** Replaces the list. */
  children?: ReactNode
}

/** On a page of a section the title becomes the breadcrumb. */
export function LinkPage(props: LinkPageProps) {
  const { section, title } = props.kind
  const { edited } = useEditedSubject()
  return (
    <Page
      kind={edited !== null && props.mayEdit ? 'editor' : 'list'}
      title={section ?? title}
      crumbs={section === undefined ? [] : [{ label: title }]}
    >
      <Content {...props} />
    </Page>
  )
}

function Content(props: LinkPageProps) {
  const { kind, lists, mayEdit, children } = props
  const { edited, open } = useEditedSubject()
  const { subjects, objects, queries } = lists
  if (subjects === undefined || objects === undefined)
    return (
      <QueryPlaceholder of={queries}>
        <SkeletonLines count={8} height={44} />
      </QueryPlaceholder>
    )
  const nouns = [...(subjects.length === 0 ? [kind.subjects] : []), ...(objects.length === 0 ? [kind.objects] : [])]
  if (nouns.length > 0)
    return (
      <>
        {kind.views.length === 0 ? null : (
          <div className={css.toolbar}>
            <ViewSwitch views={kind.views} />
          </div>
        )}
        <NoRecords nouns={nouns} mayEdit={mayEdit} />
      </>
    )
  const loaded = { ...props, subjects, objects }
  if (edited !== null && mayEdit)
    return (
      <LinkEditor
        {...loaded}
        opened={edited}
        onOpen={open}
        onSaveFailed={() => queries.forEach(({ refetch }) => refetch())}
      />
    )
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
      <MissingHere kinds={kind.gaps} />
    </>
  )
}

/** The subject in the editor. The URL holds it, so that reload and back work. */
function useEditedSubject() {
  const edited = useUrlParams().get(editParameter)
  const updateUrl = useUpdateUrlParams()
  return {
    edited,
    // Selecting another subject adds no history entry.
    open: (id: string | null) =>
      updateUrl(
        { [editParameter]: id, ...(id === null && { [unlinkedParameter]: null }) },
        { replace: edited !== null },
      ),
  }
}
