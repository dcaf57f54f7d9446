import { may } from '@tributary/contract/capabilities'
import { useQuery } from '@tanstack/react-query'
import { ownTypes } from '../../api/queries/common-queries.ts'
import type { Workspace } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { ConnectorIcon } from '../../domain/connectors/connector-icon.tsx'
import { SideLink } from './side-link.tsx'
import css from './sidebar.module.css'

/** Links to Excel, if the role may see it, and to the organisation's connector types; skeletons while they load. */
export function ConnectorLinks({ workspace, isRail }: { workspace: Workspace | null; isRail: boolean }) {
  const clientId = workspace?.organisation.Id ?? null
  const { data } = useQuery({ ...ownTypes(clientId ?? ''), enabled: clientId !== null })
  return (
    <div className={css.connectors}>
      {isRail ? null : (
        <h2 className={css.heading} id="side-connectors">
          Connectors
        </h2>
      )}
      <ul className={css.list} aria-label="Connectors" aria-busy={data === undefined}>
        {workspace !== null && may(workspace.identity.roleLevel, 'seeExcel') ? (
          <SideLink to={paths.excel} label="Excel" icon={<ConnectorIcon name="Excel" size={20} />} isRail={isRail} />
        ) : null}
        {data === undefined
          ? [0, 1, 2].map((index) => <li key={index} className={css.bone} aria-hidden />)
          : data.map((type) => (
              <SideLink
                key={type.Id}
                to={`${paths.connectors}/${type.Type}`}
                label={type.Title}
                icon={<ConnectorIcon name={type.Type} size={20} />}
                isRail={isRail}
              />
            ))}
      </ul>
    </div>
  )
}
