/** The two panes of a step: subjects on the left, what the group grants of the selected one on the right. */
import { Checkbox } from '@mantine/core'
import { useMemo, useState } from 'react'
import { LinkPanes } from '../../domain/link-editor/link-panes.tsx'
import { type LinkNoun, noLinks } from '../../domain/link-editor/links.ts'
import {
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
  keys: GrantKeys
  onKeys: (keys: GrantKeys) => void
}

export function WizardStep({ dimension, side, subjects, objects, everything, keys, onKeys }: WizardStepProps) {
  const [subjectId, setSubjectId] = useState<string | null>(null)
  const subjectItems = side === 'outer' ? dimension.outer : dimension.inner
  const others = side === 'outer' ? dimension.inner : dimension.outer
  const isWhole = hasEverything(keys)
  const pane = useMemo(
    () => (subjectId === null ? { items: others, links: noLinks } : subjectPane(dimension, keys, side, subjectId)),
    [dimension, keys, side, subjectId, others],
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
        onLinks={(next) =>
          subjectId !== null && onKeys(withSubjectLinks(keys, side, subjectId, { items: pane.items, next }))
        }
        applyModes={scopeLabels}
        {...(isWhole && {
          note: <p className="small subtle">Everything is granted; you need not select single ones.</p>,
        })}
      />
    </>
  )
}
