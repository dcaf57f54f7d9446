/** Areas and subareas with their links, each side seen from the other. */
import type { Area, Subarea } from '@tributary/contract/planning-records'
import { useQuery } from '@tanstack/react-query'
import { linkedAreas, linkedSubareas } from '../../api/queries/planning-structure.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import type { LinkSubject } from '../../domain/link-editor/links.ts'

/** Every area as what is edited and as what is picked, and the same of the subareas. */
export function useAreasAndSubareas() {
  const orgId = useWorkspace().organisation.Id
  const areas = useQuery({ ...linkedAreas(orgId), select: areaSubjects })
  const subareas = useQuery({ ...linkedSubareas(orgId), select: subareaSubjects })
  const retry = () => {
    void areas.refetch()
    void subareas.refetch()
  }
  return { areas: areas.data, subareas: subareas.data, error: areas.error ?? subareas.error, retry }
}

function areaSubjects(areas: readonly Area[]): readonly LinkSubject[] {
  return areas.map(({ Id, Name, Subareas, AllCurrentAndFuture }) => ({
    id: Id,
    name: Name,
    links: { ids: new Set(Subareas.map((subarea) => subarea.Id)), all: AllCurrentAndFuture },
    ...(AllCurrentAndFuture && { isFixed: true, detail: 'Has all subareas, current and future' }),
  }))
}

function subareaSubjects(subareas: readonly Subarea[]): readonly LinkSubject[] {
  return subareas.map(({ Id, Name, AreasSubareas, AllCurrentAndFuture }) => ({
    id: Id,
    name: Name,
    links: { ids: new Set(AreasSubareas.map(({ Area }) => Area.Id)), all: AllCurrentAndFuture },
    ...(AllCurrentAndFuture && { isFixed: true, detail: 'Belongs to all areas, current and future' }),
  }))
}
