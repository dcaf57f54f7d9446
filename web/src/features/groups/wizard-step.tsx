/** The two panes of a step: one subject on the left, what the group grants of it on the right. */
import { Checkbox } from '@mantine/core'
import { useMemo, useState } from 'react'
import { LinkPanes } from '../../domain/link-editor/link-panes.tsx'
import { type LinkNoun, noLinks } from '../../domain/link-editor/links.ts'
import { type GrantKeys, hasEverything, paneOf, type Plane, type Side, withEverything, withPane } from './grant-keys.ts'

const applies = { allCurrentAndFuture: 'All current and future', allCurrent: 'All current' }

interface WizardStepProps {
  plane: Plane
  side: Side
  subjects: LinkNoun
  objects: LinkNoun
  /** 'All areas and subareas, current and future' */
  everything: string
  keys: GrantKeys
  onKeys: (keys: GrantKeys) => void
}

export function WizardStep({ plane, side, subjects, objects, everything, keys, onKeys }: WizardStepProps) {
  const [subjectId, setSubjectId] = useState<string | null>(null)
  const subjectItems = side === 'outer' ? plane.outer : plane.inner
  const others = side === 'outer' ? plane.inner : plane.outer
  const isWhole = hasEverything(keys)
  const pane = useMemo(
    () => (subjectId === null ? { items: others, links: noLinks } : paneOf(plane, keys, side, subjectId)),
    [plane, keys, side, subjectId, others],
  )
  return (
    <>
      <Checkbox
        label={everything}
        checked={isWhole}
        onChange={(event) => onKeys(withEverything(keys, event.currentTarget.checked))}
      />
      <LinkPanes
        subjects={{ ...subjects, items: subjectItems }}
        objects={{ ...objects, items: pane.items }}
        subjectId={subjectId}
        onSubject={setSubjectId}
        links={pane.links}
        onLinks={(next) => subjectId !== null && onKeys(withPane(keys, side, subjectId, { items: pane.items, next }))}
        applies={applies}
        {...(isWhole && { note: <p className="small subtle">Everything is granted, single ones need not be.</p> })}
      />
    </>
  )
}
