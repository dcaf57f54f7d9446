/** The two panes of a step: subjects on the left, what the group grants of the selected one on the right. */
import { Checkbox } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { LinkPanes } from '../../domain/link-editor/link-panes.tsx'
import { type LinkItem, type LinkNoun, noLinks } from '../../domain/link-editor/links.ts'
import css from './groups.module.css'
import {
  countGrantedLinks,
  type GrantKeys,
  hasEverything,
  subjectPane,
  type ScopeDimension,
  type DimensionSide,
  withEverything,
  withSubjectLinks,
} from './grant-keys.ts'

const scopeLabels = { allCurrentAndFuture: 'All current and future', allCurrent: 'All current' }

interface NoObjects {
  readonly text: string
  readonly link: string
  readonly to: string
}

interface WizardStepProps {
  dimension: ScopeDimension
  side: DimensionSide
  subjects: LinkNoun
  objects: LinkNoun
  /** 'All areas and subareas, current and future' */
  everything: string
  /** Says why the subject has no objects, and leads to where it gets some. */
  noObjects: (subject: LinkItem) => NoObjects
  keys: GrantKeys
  onKeys: (keys: GrantKeys) => void
}

export function WizardStep(props: WizardStepProps) {
  const { dimension, side, subjects, objects, everything, noObjects, keys, onKeys } = props
  const [subjectId, setSubjectId] = useState<string | null>(null)
  const [isUnlinkedOnly, setUnlinkedOnly] = useState(false)
  const subjectItems = side === 'outer' ? dimension.outer : dimension.inner
  const subject = subjectItems.find(({ id }) => id === subjectId)
  const isWhole = hasEverything(keys)
  const counts = useMemo(() => countGrantedLinks(dimension, keys, side), [dimension, keys, side])
  // Without a subject nothing is listed: only items that are linked to it can be granted.
  const pane = useMemo(
    () => (subjectId === null ? { items: [], links: noLinks } : subjectPane(dimension, keys, side, subjectId)),
    [dimension, keys, side, subjectId],
  )
  return (
    <LinkPanes
      subjects={{ ...subjects, items: subjectItems }}
      objects={{ ...objects, items: pane.items }}
      subjectId={subjectId}
      onSubject={setSubjectId}
      links={pane.links}
      onLinks={(next) =>
        subjectId !== null && onKeys(withSubjectLinks(keys, side, subjectId, { items: pane.items, next }))
      }
      applyModes={scopeLabels}
      countOf={(id) => counts.get(id) ?? 0}
      unlinked={{
        isOn: isUnlinkedOnly,
        onToggle: () => setUnlinkedOnly(!isUnlinkedOnly),
        isUnlinked: (id) => counts.get(id) === 0,
      }}
      everything={
        <Checkbox
          label={everything}
          classNames={{ label: css.everything ?? '' }}
          checked={isWhole}
          onChange={(event) => onKeys(withEverything(keys, event.currentTarget.checked))}
        />
      }
      {...(subject !== undefined && { noObjects: <EmptyHint {...noObjects(subject)} /> })}
      {...(isWhole && { disabledBecause: everythingGranted })}
    />
  )
}

function EmptyHint({ text, link, to }: NoObjects) {
  return (
    <>
      {text} <Link to={to}>{link}</Link>
    </>
  )
}

const everythingGranted = 'Everything is granted, so there is nothing to choose.'
