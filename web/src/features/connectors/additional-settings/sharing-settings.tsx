import { useQuery } from '@tanstack/react-query'
import { organisationList } from '../../../api/queries/common-queries.ts'
import { useWorkspace } from '../../../api/session/workspace.ts'
import { sharedWith } from '../api.ts'
import type { ExtrasProps } from './additional-settings.ts'
import { Fold } from '../../../ui/layout/collapsible-section.tsx'
import { Loading } from '../../../domain/requests/query-placeholder.tsx'
import { PickList } from '../checkbox-list.tsx'

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
