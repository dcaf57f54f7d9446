/**
 * The subjects on the left, the items that can be linked to the selected one on the right. Where there is no room for
 * both, one after the other.
 */
import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, type Ref, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { type ApplyModeLabels, ApplyChoice } from './apply-choice.tsx'
import css from './link-panes.module.css'
import { LinkPane, useTickedOnly } from './link-pane.tsx'
import { countLinked, isLinked, type LinkCount, type LinkSelection, type LinkSide, setLinked } from './links.ts'
import { NoneYet } from './none-yet.tsx'

export interface UnlinkedFilter {
  readonly isOn: boolean
  readonly onToggle: () => void
  readonly isUnlinked: (subjectId: string) => boolean
}

interface LinkPanesProps {
  subjects: LinkSide
  objects: LinkSide
  subjectId: string | null
  onSubject: (id: string | null) => void
  /** The links of the selected subject. */
  links: LinkSelection
  onLinks: (links: LinkSelection) => void
  applyModes: ApplyModeLabels
  /** The number of links of each subject, shown in its row. */
  countOf: (subjectId: string) => LinkCount
  /** Filters the subjects to those without links. */
  unlinked: UnlinkedFilter
  /** The search box to focus on mount. */
  focus?: 'subjects' | 'objects'
  /** Above the subjects: a choice that replaces single ones. */
  everything?: ReactNode
  /** Why there is nothing to choose in either pane. */
  disabledBecause?: string
  /** Why the selected subject has no objects. */
  noObjects?: ReactNode
}

export function LinkPanes(props: LinkPanesProps) {
  const { subjects, subjectId, focus } = props
  const subjectSearch = useRef<HTMLInputElement>(null)
  const objectSearch = useRef<HTMLInputElement>(null)
  const firstFocus = useRef(focus)
  useLayoutEffect(() => {
    if (firstFocus.current === 'subjects') subjectSearch.current?.focus()
    if (firstFocus.current === 'objects') objectSearch.current?.focus()
  }, [])
  const isSelected = subjects.items.some(({ id }) => id === subjectId)
  const focusObjects = useObjectSearchFocus(objectSearch)
  return (
    <div className={css.frame}>
      <div className={css.panes} data-step={isSelected ? 'objects' : 'subject'}>
        <SubjectPane {...props} searchBox={subjectSearch} onPickedBySearch={focusObjects} />
        <ObjectPane {...props} searchBox={objectSearch} />
      </div>
    </div>
  )
}

/** Moves the focus to the search box of the objects, once it is rendered for the subject. */
function useObjectSearchFocus(search: RefObject<HTMLInputElement | null>) {
  const isPending = useRef(false)
  useLayoutEffect(() => {
    if (!isPending.current || search.current === null) return
    isPending.current = false
    search.current.focus()
  })
  return () => {
    isPending.current = search.current === null
    search.current?.focus()
  }
}

interface SubjectPaneProps extends LinkPanesProps {
  searchBox: Ref<HTMLInputElement>
  onPickedBySearch: () => void
}

function SubjectPane(props: SubjectPaneProps) {
  const { subjects, objects, subjectId, onSubject, countOf, unlinked, everything, applyModes } = props
  const { disabledBecause, searchBox, onPickedBySearch } = props
  const what = objects.title.toLowerCase()
  // The selected subject stays in sight while it gets its first link.
  const shown = unlinked.isOn
    ? subjects.items.filter(({ id }) => id === subjectId || unlinked.isUnlinked(id))
    : subjects.items
  const hasModes = Object.keys(applyModes).length > 0
  return (
    <LinkPane
      kind="radio"
      title={subjects.title}
      items={shown}
      count={String(subjects.items.length)}
      isChecked={(id) => id === subjectId}
      onPick={onSubject}
      onPickedBySearch={onPickedBySearch}
      noteOf={(id) => describeCount(countOf(id), objects)}
      searchBox={searchBox}
      whenEmpty={unlinked.isOn && subjects.items.length > 0 ? `None is without ${what}.` : <NoneYet noun={subjects} />}
      filter={{ label: `Without ${what}`, ...unlinked }}
      {...(disabledBecause !== undefined && { disabledBecause })}
    >
      {everything ?? (hasModes ? <p className={css.hint}>{`Choose one to see the ${what}.`}</p> : null)}
    </LinkPane>
  )
}

/** 'none', '3' or 'all', and the same in words. */
function describeCount(count: LinkCount, { title, one }: LinkSide) {
  const many = title.toLowerCase()
  if (count === 'all') return { text: 'all', words: `all ${many}` }
  if (count === 0) return { text: 'none', words: `no ${many}` }
  return { text: String(count), words: count === 1 ? `1 ${one}` : `${count} ${many}` }
}

interface ObjectPaneProps extends LinkPanesProps {
  searchBox: Ref<HTMLInputElement>
}

function ObjectPane(props: ObjectPaneProps) {
  const { subjects, objects, subjectId, onSubject, links, onLinks, applyModes, searchBox, noObjects } = props
  const subject = subjects.items.find(({ id }) => id === subjectId)
  const heading = useFocusWhenHidden(subjectId)
  const isTicked = (id: string) => subject !== undefined && isLinked(links, id)
  const ticked = useTickedOnly(objects.items, isTicked)
  const what = objects.title.toLowerCase()
  const disabledBecause = props.disabledBecause ?? (subject === undefined ? whyNoSubject(subjects, what) : undefined)
  return (
    <LinkPane
      kind="checkbox"
      title={objects.title}
      items={ticked.items}
      count={subject === undefined ? '' : `${countLinked(links, objects.items)} of ${objects.items.length}`}
      isChecked={isTicked}
      isReadOnly={links.all}
      onPick={(id, range) => onLinks(setLinked(links, range, !isLinked(links, id)))}
      onPickedBySearch={({ id, name }) =>
        announceToScreenReader(isLinked(links, id) ? `${name} is removed.` : `${name} is added.`)
      }
      searchBox={searchBox}
      whenEmpty={ticked.filter.isOn ? 'None is ticked.' : noObjects}
      filter={ticked.filter}
      {...(subject !== undefined && { of: subject.name })}
      {...(disabledBecause !== undefined && { disabledBecause })}
    >
      {subject === undefined ? null : (
        <>
          <BackToSubjects container={heading} one={subjects.one} onBack={() => onSubject(null)} />
          {disabledBecause === undefined ? (
            <ApplyChoice key={subjectId} modes={applyModes} links={links} items={objects.items} onChange={onLinks} />
          ) : null}
        </>
      )}
    </LinkPane>
  )
}

function whyNoSubject({ title, items }: LinkSide, what: string): string {
  const many = title.toLowerCase()
  return items.length === 0
    ? `There are no ${many} yet, so there are no ${what} to tick.`
    : `Choose one of the ${many} first. The ${what} to tick then appear here.`
}

/** Where only one pane is visible, the pane with the focus is hidden after a choice. Moves the focus to the other one. */
function useFocusWhenHidden(subjectId: string | null) {
  const target = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { activeElement } = document
    if (subjectId !== null && activeElement instanceof HTMLInputElement && activeElement.offsetParent === null)
      target.current?.focus()
  }, [subjectId])
  return target
}

/** Visible where only one pane is. */
function BackToSubjects({
  container,
  one,
  onBack,
}: {
  container: Ref<HTMLDivElement>
  one: string
  onBack: () => void
}) {
  return (
    <div ref={container} tabIndex={-1} className={css.back}>
      <Button variant="subtle" px={8} leftSection={<IconArrowLeft />} onClick={onBack}>
        {`Choose another ${one}`}
      </Button>
    </div>
  )
}
