import type { Area, Subarea } from '@tributary/contract/planning-records'
import { useQuery } from '@tanstack/react-query'
import { linkedAreas, linkedSubareas } from '../../api/queries/planning-structure.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import type { LinkSubject } from '../../domain/link-editor/links.ts'

/** Areas and subareas with their links, in the shape of both sides of the link page. */
export function useAreasAndSubareas() {
  const orgId = useOrganisationId()
  const areas = useQuery({ ...linkedAreas(orgId), select: toAreaSubjects })
  const subareas = useQuery({ ...linkedSubareas(orgId), select: toSubareaSubjects })
  const retry = () => {
    void areas.refetch()
    void subareas.refetch()
  }
  return { areas: areas.data, subareas: subareas.data, error: areas.error ?? subareas.error, retry }
}

function toAreaSubjects(areas: readonly Area[]): readonly LinkSubject[] {
  return areas.map(({ Id, Name, Subareas, AllCurrentAndFuture }) => ({
    id: Id,
    name: Name,
    links: { ids: new Set(Subareas.map((subarea) => subarea.Id)), all: AllCurrentAndFuture },
    ...(AllCurrentAndFuture && { isFixed: true, detail: 'Has all subareas, current and future' }),
  }))
}

function toSubareaSubjects(subareas: readonly Subarea[]): readonly LinkSubject[] {
  return subareas.map(({ Id, Name, AreasSubareas, AllCurrentAndFuture }) => ({
    id: Id,
    name: Name,
    links: { ids: new Set(AreasSubareas.map(({ Area }) => Area.Id)), all: AllCurrentAndFuture },
    ...(AllCurrentAndFuture && { isFixed: true, detail: 'Belongs to all areas, current and future' }),
  }))
}
