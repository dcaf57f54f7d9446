/** The two panes of a step: subjects on the left, what the group grants of the selected one on the right. */
import { Checkbox } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
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

interface WizardStepProps {
  dimension: ScopeDimension
  side: DimensionSide
  subjects: LinkNoun
  objects: LinkNoun
  /** 'All areas and subareas, current and future' */
  everything: string
  /** Instead of an empty list of objects of the subject. */
  noObjects: (subject: LinkItem) => ReactNode
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
        isUnlinked: (id) => !counts.has(id),
      }}
      everything={
        <Checkbox
          label={everything}
          classNames={{ label: css.everything ?? '' }}
          checked={isWhole}
          onChange={(event) => onKeys(withEverything(keys, event.currentTarget.checked))}
        />
      }
      {...(subject !== undefined && { noObjects: noObjects(subject) })}
      {...(isWhole && { disabledBecause: everythingGranted })}
    />
  )
}

const everythingGranted = 'Everything is granted, so there is nothing to choose.'
