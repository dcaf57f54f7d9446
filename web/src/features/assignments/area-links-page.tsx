/** Which subareas belong to which areas: from either side, and as a matrix. */
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { everyStructureList } from '../../api/queries/planning-structure.ts'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import type { LinkKind, SaveLinks } from '../../domain/link-editor/link-kind.ts'
import { LinkPage } from '../../domain/link-editor/link-page.tsx'
import { useAreasAndSubareas } from './use-areas-and-subareas.ts'
import { AreaLinkMatrix } from './area-link-matrix.tsx'

const sharedKind = {
  applyModes: {
    allCurrent: 'Select all current',
    allCurrentAndFuture: 'Select all current and future',
    onlySelected: 'Only selected',
  },
  words: {
    create: 'Create new link',
    save: 'Create Link',
    back: 'Back to links',
    remove: 'Unlink',
    removed: 'is unlinked.',
  },
  views: [
    { label: 'By area', to: paths.areaLinks },
    { label: 'By subarea', to: paths.subareaLinks },
    { label: 'Matrix', to: `${paths.areaLinks}?view=matrix` },
  ],
} as const satisfies Partial<LinkKind>

const areaNoun = { title: 'Areas', one: 'area' }
const subareaNoun = { title: 'Subareas', one: 'subarea' }
const subareasOfAreas: LinkKind = {
  ...sharedKind,
  title: 'Link Areas to Subareas',
  subjects: areaNoun,
  objects: subareaNoun,
}
const areasOfSubareas: LinkKind = {
  ...sharedKind,
  title: 'Link Subareas to Areas',
  subjects: subareaNoun,
  objects: areaNoun,
}

export function AreaLinksPage() {
  const lists = useAreasAndSubareas()
  const isMatrix = useUrlParams().get('view') === 'matrix'
  const save = useSaveAreaLinks((areaId, body) => call('PUT /areas/:areaId/subareas', { params: { areaId }, body }))
  return (
    <LinkPage
      kind={subareasOfAreas}
      lists={{ ...lists, subjects: lists.areas, objects: lists.subareas }}
      save={save}
      mayEdit={useMay()('editStructure')}
    >
      {isMatrix && lists.areas !== undefined && lists.subareas !== undefined ? (
        <AreaLinkMatrix areas={lists.areas} subareas={lists.subareas} />
      ) : undefined}
    </LinkPage>
  )
}

export function SubareaLinksPage() {
  const lists = useAreasAndSubareas()
  const save = useSaveAreaLinks((subareaId, body) =>
    call('PUT /subareas/:subareaId/areas', { params: { subareaId }, body }),
  )
  return (
    <LinkPage
      kind={areasOfSubareas}
      lists={{ ...lists, subjects: lists.subareas, objects: lists.areas }}
      save={save}
      mayEdit={useMay()('editStructure')}
    />
  )
}

function useSaveAreaLinks(put: SaveLinks): SaveLinks {
  const orgId = useOrganisationId()
  const queryClient = useQueryClient()
  return async (id, whole) => {
    await put(id, whole)
    await queryClient.invalidateQueries({ queryKey: everyStructureList(orgId) })
  }
}
