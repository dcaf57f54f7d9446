/** What is missing, as a list of links to where it is fixed. */
import type { StructureGapKind } from '@tributary/contract/structure-map'
import { IconAlertTriangle } from '@tabler/icons-react/visitor-icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { structureMap } from '../../api/queries/planning-structure.ts'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { type GapLine, listGapLines } from './gap-lines.ts'
import css from './gap-list.module.css'

interface GapListProps {
  gaps: readonly GapLine[]
  /** True on the page where they are fixed. */
  isFixedHere?: boolean
}

export function GapList({ gaps, isFixedHere = false }: GapListProps) {
  return (
    <ul className={css.gaps}>
      {gaps.map(({ key, text, note, to }) => (
        <li key={key} className={css.gap}>
          <IconAlertTriangle />
          <span>
            {isFixedHere ? text : <Link to={to}>{text}</Link>}
            {note === null ? null : <span className={css.note}>{note}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}

interface MissingHereProps {
  kinds: readonly StructureGapKind[]
  /** How they are fixed on this page, instead of links. */
  advice?: string
}

/** Below a list of the structure: what is missing in it. Only for those who may fix it. */
export function MissingHere({ kinds, advice }: MissingHereProps) {
  const mayEdit = useMay()('editStructure')
  const map = useQuery({ ...structureMap(useOrganisationId()), enabled: mayEdit && kinds.length > 0 })
  const gaps = map.data === undefined ? [] : listGapLines(map.data, kinds)
  if (gaps.length === 0) return null
  return (
    <section className={css.here} aria-label="What is missing">
      <GapList gaps={gaps} isFixedHere={advice !== undefined} />
      {advice === undefined ? null : <p className={css.advice}>{advice}</p>}
    </section>
  )
}
