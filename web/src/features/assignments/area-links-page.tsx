/** Which subareas belong to which areas: from either side, and as a matrix. */
import { call } from '../../api/call.ts'
import { useMay } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import { type LinkKind, linksWithFutureItems, type SaveLinks } from '../../domain/link-editor/link-kind.ts'
import { LinkPage } from '../../domain/link-editor/link-page.tsx'
import { useAreasAndSubareas } from './use-areas-and-subareas.ts'
import { useRefreshStructure } from '../../api/queries/planning-structure.ts'
import { AreaLinkMatrix } from './area-link-matrix.tsx'

const sharedKind = {
  ...linksWithFutureItems,
  gaps: ['areasWithoutSubareas', 'subareasWithoutAreas'],
  views: [
    { label: 'By area', to: paths.areaLinks },
    { label: 'By subarea', to: paths.subareaLinks },
    { label: 'Matrix', to: `${paths.areaLinks}?view=matrix` },
  ],
} satisfies Partial<LinkKind>

const areaNoun = { title: 'Areas', one: 'area', page: paths.areas }
const subareaNoun = { title: 'Subareas', one: 'subarea', page: paths.subareas }
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
  const { areas, subareas, queries } = useAreasAndSubareas()
  const isMatrix = useUrlParams().get('view') === 'matrix'
  const save = useSaveAreaLinks((areaId, body) => call('PUT /areas/:areaId/subareas', { params: { areaId }, body }))
  return (
    <LinkPage
      kind={subareasOfAreas}
      lists={{ subjects: areas, objects: subareas, queries }}
      save={save}
      mayEdit={useMay()('editStructure')}
    >
      {isMatrix && areas !== undefined && subareas !== undefined ? (
        <AreaLinkMatrix areas={areas} subareas={subareas} />
      ) : undefined}
    </LinkPage>
  )
}

export function SubareaLinksPage() {
  const { areas, subareas, queries } = useAreasAndSubareas()
  const save = useSaveAreaLinks((subareaId, body) =>
    call('PUT /subareas/:subareaId/areas', { params: { subareaId }, body }),
  )
  return (
    <LinkPage
      kind={areasOfSubareas}
      lists={{ subjects: subareas, objects: areas, queries }}
      save={save}
      mayEdit={useMay()('editStructure')}
    />
  )
}

function useSaveAreaLinks(put: SaveLinks): SaveLinks {
  const refresh = useRefreshStructure()
  return async (id, whole) => {
    await put(id, whole)
    await refresh()
  }
}
