/** What is missing, as a list of links to where it is fixed. */
import type { StructureGapKind } from '@tributary/contract/structure-map'
import { IconAlertTriangle } from '@tabler/icons-react/visitor-icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { structureMap } from '../../api/queries/planning-structure.ts'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { describeGap, type GapLine } from './gap-lines.ts'
import css from './gap-list.module.css'

export function GapList({ gaps }: { gaps: readonly Pick<GapLine, 'text' | 'names' | 'to'>[] }) {
  return (
    <ul className={css.gaps}>
      {gaps.map(({ text, names, to }) => (
        <li key={text} className={css.gap}>
          <IconAlertTriangle />
          <span>
            <Link to={to}>{text}</Link>
            {names === null ? null : <span className={css.names}>{names}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Below a list of the structure: what is missing in it. Only for those who may fix it. */
export function MissingHere({ kinds }: { kinds: readonly StructureGapKind[] }) {
  const mayEdit = useMay()('editStructure')
  const map = useQuery({ ...structureMap(useOrganisationId()), enabled: mayEdit && kinds.length > 0 })
  const gaps = (map.data?.Gaps ?? []).filter(({ Kind }) => kinds.includes(Kind)).map(describeGap)
  if (gaps.length === 0) return null
  return (
    <section className={css.here} aria-label="What is missing">
      <GapList gaps={gaps} />
    </section>
  )
}
