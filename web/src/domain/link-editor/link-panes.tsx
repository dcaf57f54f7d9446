/**
 * The subjects on the left, the items that can be linked to the selected one on the right. On a phone one after
 * the other.
 */
import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, type Ref, useEffect, useLayoutEffect, useRef } from 'react'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { type ApplyModeLabels, ApplyChoice } from './apply-choice.tsx'
import css from './link-editor.module.css'
import { LinkPane } from './link-pane.tsx'
import { countLinked, isLinked, type LinkSelection, type LinkSide, setLinked } from './links.ts'

interface LinkPanesProps {
  subjects: LinkSide
  objects: LinkSide
  subjectId: string | null
  onSubject: (id: string | null) => void
  /** The links of the selected subject. */
  links: LinkSelection
  onLinks: (links: LinkSelection) => void
  applyModes: ApplyModeLabels
  /** The search box to focus on mount. */
  focus?: 'subjects' | 'objects'
  /** Shown instead of the modes if they cannot be changed. */
  note?: ReactNode
}

export function LinkPanes(props: LinkPanesProps) {
  const { subjects, objects, subjectId, onSubject, links, onLinks, applyModes, focus, note } = props
  const subjectSearch = useRef<HTMLInputElement>(null)
  const objectSearch = useRef<HTMLInputElement>(null)
  const firstFocus = useRef(focus)
  useLayoutEffect(() => {
    if (firstFocus.current === 'subjects') subjectSearch.current?.focus()
    if (firstFocus.current === 'objects') objectSearch.current?.focus()
  }, [])
  const heading = useRef<HTMLDivElement>(null)
  // On a phone the pane with the focus is hidden now, so move the focus to the other one.
  useEffect(() => {
    const { activeElement } = document
    if (subjectId !== null && activeElement instanceof HTMLInputElement && activeElement.offsetParent === null)
      heading.current?.focus()
  }, [subjectId])
  const subject = subjects.items.find(({ id }) => id === subjectId)
  return (
    <div className={css.panes} data-step={subject === undefined ? 'subject' : 'objects'}>
      <LinkPane
        kind="radio"
        title={subjects.title}
        items={subjects.items}
        count={String(subjects.items.length)}
        isChecked={(id) => id === subjectId}
        onPick={onSubject}
        onPickedBySearch={() => objectSearch.current?.focus()}
        searchBox={subjectSearch}
      />
      <LinkPane
        kind="checkbox"
        title={objects.title}
        items={objects.items}
        count={
          subject === undefined
            ? String(objects.items.length)
            : `${countLinked(links, objects.items)} of ${objects.items.length}`
        }
        isChecked={(id) => subject !== undefined && isLinked(links, id)}
        isReadOnly={subject === undefined || links.all}
        isWaiting={subject === undefined}
        onPick={(id, range) => onLinks(setLinked(links, range, !isLinked(links, id)))}
        onPickedBySearch={({ id, name }) =>
          announceToScreenReader(isLinked(links, id) ? `${name} is removed.` : `${name} is added.`)
        }
        searchBox={objectSearch}
      >
        {subject === undefined ? (
          <p className={css.hint}>{`Choose one of the ${subjects.title.toLowerCase()} first.`}</p>
        ) : (
          <>
            <SubjectHeading container={heading} name={subject.name} one={subjects.one} onBack={() => onSubject(null)} />
            {note ?? (
              <ApplyChoice key={subjectId} modes={applyModes} links={links} items={objects.items} onChange={onLinks} />
            )}
          </>
        )}
      </LinkPane>
    </div>
  )
}

/** Names the selected subject. The button to choose another is shown on a phone. */
function SubjectHeading({
  container,
  name,
  one,
  onBack,
}: {
  container: Ref<HTMLDivElement>
  name: string
  one: string
  onBack: () => void
}) {
  return (
    <div ref={container} tabIndex={-1} className={css.subject}>
      <Button
        className={css.backToSubjects ?? ''}
        variant="subtle"
        px={8}
        leftSection={<IconArrowLeft />}
        onClick={onBack}
      >
        {`Choose another ${one}`}
      </Button>
      <p className={css.subjectName}>
        <span className="small subtle">for</span> {name}
      </p>
    </div>
  )
}
