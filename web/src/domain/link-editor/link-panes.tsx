/** One subject on the left, everything that may belong to it on the right. On a phone one after the other. */
import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, type Ref, useEffect, useLayoutEffect, useRef } from 'react'
import { announce } from '../../ui/feedback/toasts.tsx'
import { type Applies, ApplyChoice } from './apply-choice.tsx'
import css from './link-editor.module.css'
import { LinkPane } from './link-pane.tsx'
import { countOf, has, type Links, type LinkSide, withIds } from './links.ts'

interface LinkPanesProps {
  subjects: LinkSide
  objects: LinkSide
  subjectId: string | null
  onSubject: (id: string | null) => void
  /** Of the subject. */
  links: Links
  onLinks: (links: Links) => void
  applies: Applies
  /** Which search box has the focus at first. */
  focus?: 'subjects' | 'objects'
  /** Said instead of the way to choose, where nothing is to be chosen. */
  note?: ReactNode
}

export function LinkPanes(props: LinkPanesProps) {
  const { subjects, objects, subjectId, onSubject, links, onLinks, applies, focus, note } = props
  const subjectSearch = useRef<HTMLInputElement>(null)
  const objectSearch = useRef<HTMLInputElement>(null)
  const firstFocus = useRef(focus)
  useLayoutEffect(() => {
    if (firstFocus.current === 'subjects') subjectSearch.current?.focus()
    if (firstFocus.current === 'objects') objectSearch.current?.focus()
  }, [])
  const chosen = useRef<HTMLDivElement>(null)
  // Where the panes come one after the other, what had the focus is hidden now.
  useEffect(() => {
    const { activeElement } = document
    if (subjectId !== null && activeElement instanceof HTMLInputElement && activeElement.offsetParent === null)
      chosen.current?.focus()
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
            : `${countOf(links, objects.items)} of ${objects.items.length}`
        }
        isChecked={(id) => subject !== undefined && has(links, id)}
        isReadOnly={subject === undefined || links.all}
        isWaiting={subject === undefined}
        onPick={(id, range) => onLinks(withIds(links, range, !has(links, id)))}
        onPickedBySearch={({ id, name }) => announce(has(links, id) ? `${name} is taken out.` : `${name} is put in.`)}
        searchBox={objectSearch}
      >
        {subject === undefined ? (
          <p className={css.hint}>{`Choose one of the ${subjects.title.toLowerCase()} first.`}</p>
        ) : (
          <>
            <Subject part={chosen} name={subject.name} one={subjects.one} onBack={() => onSubject(null)} />
            {note ?? (
              <ApplyChoice key={subjectId} applies={applies} links={links} items={objects.items} onChange={onLinks} />
            )}
          </>
        )}
      </LinkPane>
    </div>
  )
}

/** Whose they are. The way back is shown where the panes come one after the other. */
function Subject({
  part,
  name,
  one,
  onBack,
}: {
  part: Ref<HTMLDivElement>
  name: string
  one: string
  onBack: () => void
}) {
  return (
    <div ref={part} tabIndex={-1} className={css.subject}>
      <Button
        className={css.backToSubjects ?? ''}
        variant="subtle"
        px={8}
        leftSection={<IconArrowLeft size={16} aria-hidden />}
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
