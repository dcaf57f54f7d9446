import type { Area, Subarea } from '@tributary/contract/planning-records'
import { useQuery } from '@tanstack/react-query'
import { linkedAreas, linkedSubareas } from '../../api/queries/planning-structure.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { type LinkSubject, toLinks } from '../../domain/link-editor/links.ts'

/** Areas and subareas with their links, in the shape of both sides of the link page. */
export function useAreasAndSubareas() {
  const orgId = useOrganisationId()
  const areas = useQuery({ ...linkedAreas(orgId), select: toAreaSubjects })
  const subareas = useQuery({ ...linkedSubareas(orgId), select: toSubareaSubjects })
  return { areas: areas.data, subareas: subareas.data, queries: [areas, subareas] }
}

function toAreaSubjects(areas: readonly Area[]): readonly LinkSubject[] {
  return areas.map((area) => toSubject(area, area.Subareas, 'Has all subareas, current and future'))
}

function toSubareaSubjects(subareas: readonly Subarea[]): readonly LinkSubject[] {
  return subareas.map((subarea) => {
    const areas = subarea.AreasSubareas.map(({ Area }) => Area)
    return toSubject(subarea, areas, 'Belongs to all areas, current and future')
  })
}

function toSubject(
  { Id, Name, AllCurrentAndFuture }: Area | Subarea,
  linked: readonly { readonly Id: string }[],
  fixedDetail: string,
): LinkSubject {
  return {
    id: Id,
    name: Name,
    links: toLinks(linked, AllCurrentAndFuture),
    ...(AllCurrentAndFuture && { isFixed: true, detail: fixedDetail }),
  }
}
