import { useQuery } from '@tanstack/react-query'
import { organisationList } from '../../api/lists.ts'
import { useWorkspace } from '../../api/workspace.ts'
import { sharedWith } from './connector-queries.ts'
import type { ExtrasProps } from './extras.ts'
import { Fold } from './fold.tsx'
import { Loading } from './loading.tsx'
import { PickList } from './pick-list.tsx'

/** Other organisations whose administrators see and run the connector, never its settings. */
export function SharingFold({ connector, extras, onChange }: ExtrasProps) {
  const { organisation } = useWorkspace()
  const shared = useQuery(sharedWith(connector.Id))
  const all = useQuery(organisationList)
  const picked = new Set(extras.organisations ?? shared.data?.map(({ Id }) => Id))
  const items = (all.data ?? [])
    .filter(({ Id, Archived }) => Id !== organisation.Id && !Archived)
    .map(({ Id, CompanyName }) => ({ id: Id, name: CompanyName }))

  return (
    <Fold title="Sharing" summary={picked.size === 0 ? 'No other organisation sees it' : inWords(picked.size)}>
      {shared.data === undefined ? (
        <Loading of={shared} />
      ) : (
        <>
          <p className="small muted">
            Administrators of an organisation that is ticked see the connector, its runs and its history, and can start
            a run. They never see its settings.
          </p>
          <PickList
            what="organisations"
            items={items}
            picked={picked}
            onPick={(next) => onChange({ ...extras, organisations: [...next] })}
          />
        </>
      )}
    </Fold>
  )
}

function inWords(count: number): string {
  return count === 1 ? 'Shared with 1 organisation' : `Shared with ${count} organisations`
}
